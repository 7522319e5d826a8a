import { parseCpf } from '../domain/cpf.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { type Erasure, eraseDebtor } from '../services/erase-debtor.ts';
import { onDatabase } from './on-database.ts';

const USAGE = `Usage:
  quita privacy erase --cpf CPF    makes the personal data of this person's closed debts unreadable
`;

function report({ erased, refused }: Erasure): string[] {
  if (erased.length + refused.length === 0) return ['No debt of this person is stored'];
  return [
    ...erased.map(({ id, clientId }) => `erased\t${id}\tclient ${clientId}`),
    ...refused.map(
      ({ id, clientId, status }) =>
        `refused\t${id}\tclient ${clientId}\tthe debt is ${status}: the data of an open debt is kept until it is closed`,
    ),
  ];
}

function cpfOf([name, flag, value, ...more]: readonly string[]): string | undefined {
  const given = flag?.startsWith('--cpf=') ? flag.slice('--cpf='.length) : flag === '--cpf' ? value : undefined;
  const count = flag === '--cpf' ? more.length : more.length + (value === undefined ? 0 : 1);
  return name === 'erase' && count === 0 ? given : undefined;
}

export async function runPrivacy(args: readonly string[]): Promise<void> {
  const given = cpfOf(args);
  if (given === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    const cpf = parseCpf(given);
    if (cpf === null) throw new Error('This is not a valid CPF');
    const erasure = await onDatabase(loadWithSecrets([]), { name: 'privacy erase' }, (db) => eraseDebtor({ db })(cpf));
    process.stdout.write(`${report(erasure).join('\n')}\n`);
    if (erasure.refused.length > 0) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
