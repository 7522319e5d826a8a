import { formatCnpj } from '../../kernel/cnpj.ts';
import type { CollectsFor } from '../../kernel/collects-for.ts';
import { AppError } from '../../kernel/errors.ts';
import { isRealChannel, type RealChannel } from '../../kernel/messaging-channels.ts';
import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../kernel/payment-providers.ts';
import { listClients } from '../../modules/accounts/use-cases/list-clients.ts';
import { makeResetLink } from '../../modules/accounts/use-cases/make-reset-link.ts';
import { type StatusChange, setClientStatus } from '../../modules/accounts/use-cases/set-client-status.ts';
import { verifyClient } from '../../modules/accounts/use-cases/verify-client.ts';
import { addressLine } from '../../modules/messaging/use-cases/debt-facts.ts';
import type { Config, SecretName } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { accountWorkflows } from '../../platform/temporal/account-workflows.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { connectToAccount } from './connect-account.ts';
import { connectToChannel } from './connect-channel.ts';
import { onDatabase } from './on-database.ts';

const USAGE = `Usage:
  quita clients list          id, status, e-mail and name, one client a line
  quita clients verify ID     name, CNPJ, address, senders and whose debts it collects were checked: it may contact
                              real people, until one changes
  quita clients reset-password ID
                              a link by which its owner sets a new password, where no mail leaves
  quita clients connect ID [mercadopago|pix] [FILE]
                              its own account at the payment provider: asks for the credentials, or reads them from a JSON file
  quita clients connect ID whatsapp|twilio|zenvia|email [FILE]
                              its own sender on a channel, in the same way; e-mail needs no credentials
  quita clients pause ID      no login, no calls, nobody is contacted
  quita clients resume ID     ends a pause
  quita clients cancel ID     for good
`;

/**
 * E-mail has no adapter without the secret that signs its addresses, and the address of a bank's notifications is made of
 * a secret.
 */
function secretsOf([name, , target]: readonly string[]): readonly SecretName[] {
  if (name !== 'connect') return [];
  if (target === 'email') return ['ENCRYPTION_KEY', 'RECEIPT_SECRET'];
  return target === 'pix' ? ['ENCRYPTION_KEY', 'PAYMENT_WEBHOOK_SECRET'] : ['ENCRYPTION_KEY'];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A mistake of the operator, which is printed in one line without a stack. */
class Refusal extends Error {}

interface Given {
  readonly config: Config;
  /** Of the command that connects: the channel or the payment provider, and the file. */
  readonly target: RealChannel | RealProviderName | undefined;
  readonly file: string | undefined;
}

type Action = (db: Database, id: string, given: Given) => Promise<string>;

const changeTo =
  (change: StatusChange): Action =>
  async (db, id, { config }) => {
    const now = serviceClock(config.clockOffset);
    const { from, to, possible } = await setClientStatus({ db, workflows: accountWorkflows, now })({
      clientId: id,
      change,
    });
    if (!possible) throw new Refusal(`The client ${id} is ${from}: it cannot become ${to}`);
    return from === to ? `${id} is ${to} already` : `${id} is ${to} now (it was ${from})`;
  };

const WHOSE_DEBTS: Readonly<Record<CollectsFor, string>> = { itself: 'its own debts', others: 'the debts of others' };

const ACTIONS: Readonly<Record<string, Action>> = {
  verify: async (db, id, { config }) => {
    const now = serviceClock(config.clockOffset);
    const company = await verifyClient({ db, workflows: accountWorkflows, now })(id);
    if (company === null) {
      throw new Refusal(
        `The client ${id} has no CNPJ: the client has to enter one (PATCH /api/onboarding/me) before it can be verified`,
      );
    }
    return [
      `${id} is verified: ${printable(company.name)}, CNPJ ${formatCnpj(company.cnpj)}`,
      ...(company.address === null ? [] : [`  address: ${printable(addressLine(company.address))}`]),
      `  it says that it collects ${WHOSE_DEBTS[company.collectsFor]}`,
      ...company.senders.map((sender) => `  a campaign writes as: ${printable(sender)}`),
    ].join('\n');
  },
  'reset-password': async (db, id, { config }) => {
    const { url, validMinutes } = await makeResetLink({ db, publicUrl: config.publicUrl })(id);
    return `Give this link to the owner of the account; it sets a new password once, within ${validMinutes} minutes:\n${url}`;
  },
  connect: (db, id, { target, ...given }) =>
    target !== undefined && isRealChannel(target)
      ? connectToChannel(db, id, target, given)
      : connectToAccount(db, id, { ...given, provider: target ?? given.config.paymentProviders[0] ?? 'mercadopago' }),
  pause: changeTo('pause'),
  resume: changeTo('resume'),
  cancel: changeTo('cancel'),
};

/** Text that a client entered must not send control characters to the operator's terminal or look like two columns. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

async function list(db: Database): Promise<string> {
  const clients = await listClients({ db })();
  return clients.map(({ id, status, email, name }) => [id, status, email, name].map(printable).join('\t')).join('\n');
}

async function act(db: Database, action: Action, id: string, given: Given): Promise<string> {
  const unknown = new Refusal(`There is no client ${id}`);
  if (!UUID.test(id)) throw unknown;
  try {
    return await action(db, id.toLowerCase(), given);
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? unknown : error;
  }
}

type Work = (db: Database, config: Config) => Promise<string>;

function workOf([name = '', id, ...more]: readonly string[]): Work | undefined {
  if (name === 'list' && id === undefined) return list;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const [first] = more;
  const target = first !== undefined && isTarget(first) ? first : undefined;
  const [file, ...tooMuch] = target === undefined ? more : more.slice(1);
  if (action === undefined || id === undefined || tooMuch.length > 0) return undefined;
  if (more.length > 0 && name !== 'connect') return undefined;
  return (db, config) => act(db, action, id, { config, target, file });
}

const isTarget = (name: string): name is RealChannel | RealProviderName =>
  isRealChannel(name) || REAL_PROVIDER_NAMES.some((one) => one === name);

export async function runClients(args: readonly string[]): Promise<void> {
  const work = workOf(args);
  if (work === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    const config = loadWithSecrets([], { secrets: secretsOf(args) });
    const [name, id = ''] = args;
    const command = { name: `clients ${name}`, client: UUID.test(id) ? id.toLowerCase() : undefined };
    const answer = await onDatabase(config, command, (db) => work(db, config));
    if (answer !== '') process.stdout.write(`${answer}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
