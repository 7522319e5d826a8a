import {
  inviteOperator,
  listOperators,
  removeOperator,
} from '../../modules/operators/use-cases/operators-of-deployment.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { onDatabase } from './on-database.ts';

const USAGE = `Usage:
  quita operators invite EMAIL   a link by which the person becomes an operator, with a password and an app for codes
  quita operators list           the operators, and who is invited
  quita operators remove EMAIL   ends the access of an operator, or an invitation, at once
`;

type Work = (db: Database, config: Config) => Promise<string>;

function workOf([name, email, ...tooMuch]: readonly string[]): Work | undefined {
  if (tooMuch.length > 0) return undefined;
  if (name === 'list' && email === undefined) {
    return async (db) => {
      const { operators, invited } = await listOperators({ db });
      return [
        ...operators.map((one) => `${one.email}\toperator\tlast login: ${one.lastLoginAt?.toISOString() ?? 'never'}`),
        ...invited.map((one) => `${one.email}\tinvited\tuntil ${one.expiresAt.toISOString()}`),
      ].join('\n');
    };
  }
  if (email === undefined) return undefined;
  if (name === 'invite') {
    return async (db, { publicUrl }) => {
      const { token, validDays } = await inviteOperator({ db })(email);
      return [
        `Give this link to ${email} by a safe way. It works once, within ${validDays} days:`,
        `${publicUrl}/operador/convite#${token}`,
      ].join('\n');
    };
  }
  if (name !== 'remove') return undefined;
  return async (db) => {
    if (!(await removeOperator({ db })(email))) throw new Error(`There is no operator ${email}`);
    return `${email} is no operator any more`;
  };
}

export async function runOperators(args: readonly string[]): Promise<void> {
  const work = workOf(args);
  if (work === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    const config = loadWithSecrets([]);
    const answer = await onDatabase(config, { name: `operators ${args[0]}` }, (db) => work(db, config));
    if (answer !== '') process.stdout.write(`${answer}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
