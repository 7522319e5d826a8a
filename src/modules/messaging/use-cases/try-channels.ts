import { randomUUID } from 'node:crypto';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import type { SharedDeps } from '../../deps.ts';
import { MessagingError, type MessagingErrorKind } from '../ports/messaging-channel.ts';
import { channelTestMessage } from '../texts/trial-message.ts';
import type { MessagingDeps } from './deps.ts';
import { type RealSender, sendersForOperator } from './senders-of.ts';

export type TestDeps = Pick<SharedDeps, 'db' | 'now'> & Pick<MessagingDeps, 'sendersOf'>;

export interface TestRecipient {
  /** E.164. */
  readonly phone: string;
  readonly email: string | null;
}

export type TestOutcome = { readonly channel: RealChannel } & (
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'not_tried' }
  | { readonly outcome: 'refused'; readonly kind: MessagingErrorKind; readonly code: string | null }
);

/**
 * Sends one harmless message by each connected channel, once, and returns what the channels say. The message belongs to
 * no debt, so it is stored nowhere but in the audit log, before it is sent.
 */
export const testChannels =
  (deps: TestDeps) =>
  async (clientId: string, to: TestRecipient): Promise<readonly TestOutcome[]> => {
    const { clientName, senders } = await sendersForOperator(deps, clientId);
    const message = channelTestMessage(clientName);
    const outcomes: TestOutcome[] = [];
    for (const sender of senders) {
      const { name, channel } = sender;
      if (channel.capabilities.reaches === 'email' && to.email === null) {
        outcomes.push({ channel: name, outcome: 'not_tried' });
        continue;
      }
      const details = { channel: name };
      await deps.db
        .tenant(clientId)
        .transactional((tx) => addAudit(tx, { clientId, actor: 'operator', action: 'channel_tested', details }));
      outcomes.push({ channel: name, ...(await attempt(deps, clientId, sender, to, message)) });
    }
    return outcomes;
  };

async function attempt(
  { now }: Pick<TestDeps, 'now'>,
  clientId: string,
  { channel, credentials }: RealSender,
  { phone, email }: TestRecipient,
  { text, short, template }: ReturnType<typeof channelTestMessage>,
) {
  const { capabilities } = channel;
  try {
    await channel.send({
      id: randomUUID(),
      to: { phone, ...(email === null ? {} : { email }) },
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
