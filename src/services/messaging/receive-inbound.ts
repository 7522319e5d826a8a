import { runInTransaction } from '../../db/statement.ts';
import { inboundPhones } from '../../domain/phone.ts';
import type { CollectionDeps } from '../collection/deps.ts';
import { storeReceived } from './receive-message.ts';

/** A message as a channel delivers it: the channel knows the sender's number, not the debt. */
export interface InboundFromPhone {
  /** The client whose number received the message. */
  readonly clientId: string;
  readonly channel: string;
  readonly channelMessageId: string;
  /** As the channel writes it, with or without the ninth digit. */
  readonly fromPhone: string;
  readonly text: string;
}

// When one phone has several debts, the debt with the newest conversation gets the message. Without any conversation the
// most recently imported debt gets it.
const NEWEST_CONVERSATION = `
  select d.id from debts d
  left join lateral (select max(m.created_at) as at from messages m where m.debt_id = d.id) as talk on true
  where d.debtor_phone = any ($1) and d.sandbox = $2
  order by array_position($1, d.debtor_phone), talk.at desc nulls last, d.created_at desc, d.id limit 1`;

// A repeated delivery belongs to the debt of the first one, even when another conversation has become the newest since.
const KNOWN = 'select 1 from messages where channel = $1 and channel_message_id = $2';

/** Finds the debt that a message from a phone is about. A message from a number without a debt is ignored and not stored. */
export const receiveInbound =
  (deps: Pick<CollectionDeps, 'db' | 'now' | 'workflows' | 'sandboxOnly' | 'note'>) =>
  async (message: InboundFromPhone): Promise<'stored' | 'repeated' | 'unknown_number'> => {
    const { clientId, channel, channelMessageId, fromPhone, text } = message;
    const outcome = await deps.db.tenant(clientId).transactional(async (em) => {
      const known = await runInTransaction(em, KNOWN, [channel, channelMessageId]);
      if (known.length > 0) return 'repeated';
      const phones = inboundPhones(fromPhone);
      const [debt] = await runInTransaction<{ id: string }>(em, NEWEST_CONVERSATION, [phones, deps.sandboxOnly]);
      if (debt === undefined) return 'unknown_number';
      return storeReceived(em, deps, { clientId, debtId: debt.id, channel, channelMessageId, text });
    });
    if (outcome === 'stored' || outcome === 'repeated') return outcome;
    deps.note('A message was ignored, because no debt has the number of its sender.', { clientId, channel });
    return 'unknown_number';
  };
