import { AppError } from '../../kernel/errors.ts';
import { canonicalPhone } from '../../kernel/phone.ts';
import { LOWER_CASE_UUID } from '../../kernel/uuid.ts';
import {
  type CheckedTemplate,
  MessagingError,
  type MessagingErrorKind,
} from '../../modules/messaging/ports/messaging-channel.ts';
import type { TestRecipient } from '../../modules/messaging/rules/test-recipient.ts';
import { productTemplates, type TemplatesOfSender } from '../../modules/messaging/use-cases/product-templates.ts';
import { sendersFrom } from '../../modules/messaging/use-cases/senders-of.ts';
import { type TestOutcome, testChannels } from '../../modules/messaging/use-cases/try-channels.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { composeChannels } from '../compose/channels.ts';
import { composeChannelCredentials, composeSenderSources } from '../compose/senders.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { CHANNEL_TITLES } from './channel-titles.ts';
import { onDatabase } from './on-database.ts';

const USAGE = `Usage:
  quita channels templates push ID     creates the product's templates in the client's account, and shows their states
  quita channels templates status ID   asks which templates are approved
  quita channels test ID +55PHONE [--email ADDRESS]
                                       sends one harmless message by each connected channel, once
`;

/** An address that is surely none costs no call. */
const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;

const MEANINGS: Readonly<Record<MessagingErrorKind, string>> = {
  retryable: 'the channel asks for patience or could not be reached: try again later',
  window_closed: 'the channel allows no free text at the moment',
  undeliverable: 'the channel does not reach this recipient',
  opted_out: 'this person has asked the channel for silence',
  rejected: 'the channel does not accept the text or its template: see quita channels templates status',
  suspended: 'the channel lets this sender send nothing at the moment: see its account',
  unauthorized: 'the channel refuses the credentials: connect the sender again',
  unknown_outcome: 'the answer was lost, so the message may have been sent: look at the phone before you try again',
};

interface Answer {
  readonly lines: readonly string[];
  readonly failed: boolean;
}

interface Task {
  readonly name: string;
  readonly id: string;
  run(db: Database, config: Config): Promise<Answer>;
}

const depsOf = (db: Database, config: Config) => ({
  db,
  now: () => new Date(),
  sendersOf: sendersFrom(
    composeSenderSources(config, composeChannels(config, db), composeChannelCredentials(config, db)),
  ),
});

const templates = (id: string, push: boolean): Task => ({
  name: `channels templates ${push ? 'push' : 'status'}`,
  id,
  run: async (db, config) => templatesAnswer(await productTemplates(depsOf(db, config))(id, { push })),
});

function templatesAnswer(senders: readonly TemplatesOfSender[]): Answer {
  if (senders.length === 0) {
    return { lines: ['No connected channel of this client approves templates: there is nothing to do'], failed: false };
  }
  const width = Math.max(...senders.flatMap((sender) => sender.templates.map(({ name }) => name.length)));
  const lines = senders.flatMap((sender) => {
    const isUsed = ({ state, isMarketing }: CheckedTemplate) => state === 'approved' && isMarketing !== true;
    const approved = sender.templates.filter(isUsed).length;
    return [
      ...(sender.refused === null ? [] : [sender.refused]),
      `${CHANNEL_TITLES[sender.channel]}: ${approved} of ${sender.templates.length} templates are approved`,
      ...sender.templates.map(({ name, state, reason }) =>
        `${name.padEnd(width)}  ${state.padEnd(8)}  ${reason ?? ''}`.trimEnd(),
      ),
    ];
  });
  return { lines, failed: senders.some(({ refused }) => refused !== null) };
}

const test = (id: string, to: TestRecipient): Task => ({
  name: 'channels test',
  id,
  run: async (db, config) => {
    const outcomes = await testChannels(depsOf(db, config))(id, to);
    if (outcomes.length === 0) throw new Error(`${id} has no connected channel`);
    return { lines: outcomes.map(lineOf), failed: outcomes.some(({ outcome }) => outcome === 'refused') };
  },
});

function lineOf(tested: TestOutcome): string {
  const title = CHANNEL_TITLES[tested.channel];
  if (tested.outcome === 'not_tried') return `${title}: not tried: give an address with --email`;
  if (tested.outcome === 'accepted') return `${title}: accepted: the phone or mailbox shows whether it arrives`;
  const code = tested.code === null ? '' : ` ${tested.code}`;
  return `${title}: ${tested.kind === 'unknown_outcome' ? 'unknown' : 'refused'}${code}: ${MEANINGS[tested.kind]}`;
}

/** Returns undefined when the arguments are not understood. */
function taskOf([command, ...args]: readonly string[]): Task | undefined {
  if (command === 'templates') {
    const [what, id, ...more] = args;
    if ((what !== 'push' && what !== 'status') || id === undefined || more.length > 0) return undefined;
    return templates(id.toLowerCase(), what === 'push');
  }
  if (command !== 'test') return undefined;
  const [id, given, flag, value, ...more] = args;
  if (id === undefined || given === undefined || more.length > 0) return undefined;
  const email =
    flag === undefined ? null : flag === '--email' ? value : flag.startsWith('--email=') ? flag.slice(8) : '';
  if (email === undefined || email === '' || (flag?.startsWith('--email=') === true && value !== undefined)) {
    return undefined;
  }
  return test(id.toLowerCase(), recipientOf(given, email));
}

function recipientOf(given: string, email: string | null): TestRecipient {
  const phone = given.startsWith('+55') ? canonicalPhone(given) : null;
  if (phone === null) throw new Error('The phone must be a Brazilian number that begins with +55');
  if (email !== null && !EMAIL.test(email)) throw new Error('The value of --email is not an address');
  return { phone, email };
}

async function run({ name, id, run: work }: Task): Promise<Answer> {
  const config = loadWithSecrets([], { secrets: ['ENCRYPTION_KEY', 'RECEIPT_SECRET'] });
  if (config.messagingChannels.length === 0) {
    throw new Error('This deployment reaches nobody: MESSAGING_CHANNEL is sandbox');
  }
  const unknown = new Error(`There is no client ${id}`);
  const isId = LOWER_CASE_UUID.test(id);
  return onDatabase(config, { name, client: isId ? id : undefined }, async (db) => {
    if (!isId) throw unknown;
    try {
      return await work(db, config);
    } catch (error) {
      throw error instanceof AppError && error.code === 'not_found' ? unknown : error;
    }
  });
}

export async function runChannels(args: readonly string[]): Promise<void> {
  try {
    const task = taskOf(args);
    if (task === undefined) {
      process.stderr.write(USAGE);
      process.exitCode = 1;
      return;
    }
    const { lines, failed } = await run(task);
    process.stdout.write(`${lines.join('\n')}\n`);
    if (failed) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${error instanceof MessagingError ? refusal(error) : explain(error)}\n`);
    process.exitCode = 1;
  }
}

const refusal = ({ message, kind }: MessagingError): string => `${message}: ${MEANINGS[kind]}`;
