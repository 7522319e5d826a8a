import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addAudit, addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { SharedDeps } from '../../deps.ts';
import { MessagingError, type MessagingErrorKind } from '../ports/messaging-channel.ts';
import { TAX_IDS_OF_CONTACT } from '../queries/suppressed-contacts.ts';
import { ASKED_FOR_SILENCE, suppressionsOf } from '../queries/suppressions.ts';
import type { TestRecipient } from '../rules/test-recipient.ts';
import { channelTestMessage } from '../texts/trial-message.ts';
import type { MessagingDeps } from './deps.ts';
import { type RealSender, sendersForOperator } from './senders-of.ts';

/**
 * Returns who has heard that the phone, or a debtor of this client with this phone or address, must not be contacted:
 * this client, or another one of the deployment. The client may be told the first and never the second, because a company
 * could ask about strangers by it.
 */
async function silencedBy(
  { db, personKeys }: Pick<SharedDeps, 'db' | 'personKeys'>,
  clientId: string,
  { phone, email }: TestRecipient,
): Promise<'own' | 'other' | null> {
  const debtors = await db.readPrepared({ clientId }, TAX_IDS_OF_CONTACT, { clientId, phone, email });
  const keys = {
    personKeys: debtors.map(({ debtorTaxId }) => personKeys.person(debtorTaxId)),
    phoneKeys: phone === null ? [] : [personKeys.phone(phone)],
  };
  const own = await db.readPrepared({ clientId }, suppressionsOf, { sandbox: false, ...keys });
  if (own.length > 0) return 'own';
  const [all] = await db.readPrepared({ clientId }, ASKED_FOR_SILENCE, keys);
  return all?.asked === true ? 'other' : null;
}

export type TestDeps = Pick<SharedDeps, 'db' | 'now'> & Pick<MessagingDeps, 'sendersOf'>;

export type TestOutcome = { readonly channel: RealChannel } & (
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'not_tried' }
  | { readonly outcome: 'refused'; readonly kind: MessagingErrorKind; readonly code: string | null }
);

/** Sends one harmless message by each connected channel, once, and returns what the channels say. */
export const testChannels =
  (deps: TestDeps) =>
  async (clientId: string, to: TestRecipient): Promise<readonly TestOutcome[]> => {
    const { clientName, senders } = await sendersForOperator(deps, clientId);
    const outcomes: TestOutcome[] = [];
    for (const sender of senders) {
      outcomes.push(await testSender(deps, { clientId, clientName, sender, to, source: null }));
    }
    return outcomes;
  };

export interface TestOwnDeps extends TestDeps, Pick<SharedDeps, 'personKeys'> {
  /** Throws `rate_limited`. */
  readonly takeFromTestRate: (clientId: string) => Promise<void>;
}

interface TestRequest {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly to: TestRecipient;
  readonly source: RequestSource;
}

/** Does so by one channel for a person of the company, a few times an hour, and never to whoever asked for silence. */
export const testOwnChannel =
  (deps: TestOwnDeps) =>
  async ({ clientId, channel, to, source }: TestRequest): Promise<TestOutcome> => {
    const { clientName, senders } = await sendersForOperator(deps, clientId);
    const sender = senders.find(({ name }) => name === channel);
    if (sender === undefined) {
      throw new AppError('channel_not_ready', { missing: [{ channel, template: null, reason: 'not_connected' }] });
    }
    const isEmail = sender.channel.capabilities.reaches === 'email';
    if ((isEmail ? to.email : to.phone) === null) throw refusedTo('required', 'The channel needs another recipient');
    await deps.takeFromTestRate(clientId);
    const silenced = await silencedBy(deps, clientId, to);
    if (silenced === 'own') throw refusedTo('suppressed', 'This person must not be contacted');
    if (silenced === null) return testSender(deps, { clientId, clientName, sender, to, source });
    await auditTest(deps, { clientId, sender, source });
    // As a channel says it that does not reach somebody, for whatever reason.
    return { channel, outcome: 'refused', kind: 'undeliverable', code: null };
  };

const refusedTo = (code: string, message: string): AppError =>
  new AppError('validation_failed', { errors: [{ pointer: '/to', code, message }] });

interface Trial {
  readonly clientId: string;
  readonly clientName: string;
  readonly sender: RealSender;
  readonly to: TestRecipient;
  readonly source: RequestSource | null;
}

/** The message belongs to no debt, so it is stored nowhere but in the audit log, before it is sent. */
async function testSender(deps: TestDeps, trial: Trial): Promise<TestOutcome> {
  const { sender, to } = trial;
  const { name, channel } = sender;
  if ((channel.capabilities.reaches === 'email' ? to.email : to.phone) === null) {
    return { channel: name, outcome: 'not_tried' };
  }
  await auditTest(deps, trial);
  return { channel: name, ...(await attempt(deps, trial)) };
}

async function auditTest(
  { db }: Pick<TestDeps, 'db'>,
  { clientId, sender, source }: Pick<Trial, 'clientId' | 'sender' | 'source'>,
): Promise<void> {
  const entry = { clientId, action: 'channel_tested', details: { channel: sender.name } } as const;
  await db
    .tenant(clientId)
    .transactional((tx) =>
      source === null ? addAudit(tx, { ...entry, actor: 'operator' }) : addRequestAudit(tx, { ...entry, source }),
    );
}

async function attempt({ now }: Pick<TestDeps, 'now'>, { clientId, clientName, sender, to }: Trial) {
  const { channel, credentials } = sender;
  const { capabilities } = channel;
  const { text, short, template } = channelTestMessage(clientName);
  try {
    await channel.send({
      id: randomUUID(),
      to: { phone: to.phone ?? '', ...(to.email === null ? {} : { email: to.email }) },
      text: capabilities.texts === 'short' ? short : text,
      // Nobody knows whether this person has written lately, and a template is always allowed.
      ...(capabilities.templates ? { template: { ...template, language: 'pt_BR' } } : {}),
      // It is no collection, and of the other purposes an answer promises the least.
      context: { clientId, debtId: null, purpose: 'reply', at: now() },
      credentials,
    });
    return { outcome: 'accepted' } as const;
  } catch (error) {
    if (!(error instanceof MessagingError)) throw error;
    return { outcome: 'refused', kind: error.kind, code: error.channelCode ?? null } as const;
  }
}
