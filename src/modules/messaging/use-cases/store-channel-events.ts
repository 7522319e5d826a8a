import type { EntityManager } from '@mikro-orm/postgresql';
import { lockDebts } from '../../debts/use-cases/debt-context.ts';
import type { ChannelEvent } from '../ports/channel-webhook.ts';
import { sendersOnChannel } from '../queries/sender-news.ts';
import { applyReports, messagesReported, type Report } from './apply-reports.ts';
import { isWritten, writerOf } from './assign-events.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { findDebtOfWriter } from './find-debt-of-writer.ts';
import { followSenderNews, type SenderEvent } from './follow-sender-news.ts';
import { type Found, storeWritten } from './store-written.ts';

/** Stores the events of one client. What names the sender of somebody else is left out. */
export async function storeChannelEvents(
  em: EntityManager,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  events: readonly ChannelEvent[],
): Promise<void> {
  const senders = await sendersOnChannel(em, by.channel);
  const names = new Set(senders.flatMap(({ senderId, accountId }) => [senderId, accountId]));
  const own = events.filter((event) => isOwn(event, names));
  const reports = own.filter((event): event is Report => event.kind === 'delivery');
  const written: Found[] = [];
  for (const event of own.filter(isWritten)) {
    written.push({ event, debt: await findDebtOfWriter(em, by.channel, writerOf(event)) });
  }
  // All debts are locked at once and in one order: two requests that name the same debts must not wait for each other.
  const reported = await messagesReported(em, by.channel, reports);
  const debtIds = [
    ...reported.flatMap(({ debtId, alsoAbout }) => [debtId, ...alsoAbout]),
    ...written.flatMap(({ debt }) => (debt === null ? [] : [debt.id])),
  ];
  if (debtIds.length > 0) await lockDebts(em, [...new Set(debtIds)]);
  await applyReports(em, deps, by, reports);
  for (const found of written) await storeWritten(em, deps, by, found);
  await followSenderNews(
    em,
    deps,
    by,
    senders,
    own.filter((event): event is SenderEvent => event.kind === 'template' || event.kind === 'sender'),
  );
}

/** A state may name no sender. It is found by the id of a message then, which row security limits to the client's own. */
function isOwn(event: ChannelEvent, names: ReadonlySet<string | null>): boolean {
  if (event.kind === 'template') return names.has(event.accountId);
  if (event.kind === 'delivery') return event.senderId === null || names.has(event.senderId);
  if (event.kind === 'sender')
    return [event.senderId, event.accountId].some((name) => name !== null && names.has(name));
  return names.has(event.senderId);
}
