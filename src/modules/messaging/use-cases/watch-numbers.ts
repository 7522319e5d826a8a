import type { AccountMail } from '../../../kernel/account-mail.ts';
import { startOfStatisticsDay, statisticsMonth } from '../../../kernel/statistics-day.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import { setFreeWarned, setPaymentSuspected, WATCHED_NUMBERS, type WatchedNumber } from '../queries/watched-numbers.ts';
import { freeEachMonth, type PriceList } from '../rules/message-prices.ts';
import { HEARD_WITHIN_MS, isFreeEnding, isPaymentSuspected, NEWEST, WATCHED_MS } from '../rules/watched-number.ts';
import { requestIdOf } from './sender-state.ts';

export interface WatchDeps extends Pick<SharedDeps, 'db' | 'now' | 'note' | 'workflows'> {
  readonly prices: PriceList;
}

/**
 * Looks at every connected number of WhatsApp: whether its free messages of the month end, and whether nothing is heard of
 * messages that cost. The client is told of each once: for a month, and until something is heard again.
 */
export const watchNumbers = (deps: WatchDeps) => async (): Promise<void> => {
  const now = deps.now();
  const month = statisticsMonth(now.getTime());
  const free = freeEachMonth(deps.prices);
  const numbers = await deps.db.readPrepared({}, WATCHED_NUMBERS, {
    month: new Date(startOfStatisticsDay(month)),
    atMost: Math.max(1, free),
    from: new Date(now.getTime() - WATCHED_MS),
    until: new Date(now.getTime() - HEARD_WITHIN_MS),
    newest: NEWEST,
  });
  for (const number of numbers) {
    if (isFreeEnding(number, free) && !isWarned(number, month)) {
      await change(deps, number, async (tx) => {
        if ((await setFreeWarned(tx, number.id, month)) === undefined) return;
        await tell(tx, deps, number, 'free_messages_ending', month);
      });
    }
    const suspected = isPaymentSuspected(number, free);
    if (suspected !== null && suspected !== (number.paymentSuspectedAt !== null)) {
      await change(deps, number, async (tx) => {
        if ((await setPaymentSuspected(tx, number.id, suspected ? now : null)) === undefined || !suspected) return;
        deps.note('Nothing is heard of messages that a sender has to pay for.', keyOf(number));
        await tell(tx, deps, number, 'payment_suspected', now.toISOString().slice(0, 10));
      });
    }
  }
};

const isWarned = ({ freeWarnedFor }: WatchedNumber, month: string): boolean =>
  freeWarnedFor !== null && freeWarnedFor >= month;

const keyOf = ({ clientId, senderId }: WatchedNumber) => ({ clientId, channel: 'whatsapp', senderId });

const change = ({ db }: WatchDeps, { clientId }: WatchedNumber, write: (tx: Tx) => Promise<void>): Promise<void> =>
  db.tenant(clientId).transactional(write);

async function tell(
  tx: Tx,
  { workflows }: WatchDeps,
  { clientId, id }: WatchedNumber,
  kind: AccountMail & ('free_messages_ending' | 'payment_suspected'),
  period: string,
): Promise<void> {
  const requestId = requestIdOf(id, kind, period);
  await addOutbox(tx, workflows.mailClient({ clientId, requestId, kind, about: id }));
}
