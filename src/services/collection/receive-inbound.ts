import { runInTransaction } from '../../db/statement.ts';
import { inboundPhones } from '../../domain/phone.ts';
import type { CollectionDeps } from './deps.ts';
import { storeReceived } from './receive-message.ts';

/** What a channel brings: it knows a number, not a debt. */
export interface InboundFromPhone {
  /** Whose number it was sent to. */
  readonly clientId: string;
  readonly channel: string;
  readonly channelMessageId: string;
  /** As the channel writes it, with or without the ninth digit. */
  readonly fromPhone: string;
  readonly text: string;
}

// Of several debts of one phone the newest conversation gets the message; before any, the debt that came last.
const NEWEST_CONVERSATION = `
  select d.id from debts d
  left join lateral (select max(m.created_at) as at from messages m where m.debt_id = d.id) as talk on true
  where d.debtor_phone = any ($1) and d.sandbox = $2
  order by array_position($1, d.debtor_phone), talk.at desc nulls last, d.created_at desc, d.id limit 1`;

// A repeat belongs where the first went, even when another conversation has become the newest since.
const KNOWN = 'select 1 from messages where channel = $1 and channel_message_id = $2';

/** Finds the debt that a message from a phone is about. A number that no debt has is ignored: nothing is stored of it. */
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
    deps.note('message from a number that no debt has: ignored', { clientId, channel });
    return 'unknown_number';
  };
