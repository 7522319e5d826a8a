import type { EntityManager } from '@mikro-orm/postgresql';
import { addCounts } from '../../../platform/database/add-count.ts';
import { insertDebtEvents, insertEventOfEach, type NewDebtEvent } from '../queries/debt-events.ts';
import { countsOfEvent } from './counts-of-event.ts';
import { followEvent } from './inbox-items.ts';

/**
 * Adds events to a debt's timeline in the given order, and to the inbox what they ask of the client. `at` is by the debt's own clock. With `asBooked` the events keep
 * that moment even when later events are stored already, because the gate decided about and counted that moment.
 */
export async function recordEvents(
  em: EntityManager,
  debtId: string,
  at: number,
  entries: readonly NewDebtEvent[],
  options: { readonly asBooked?: boolean } = {},
): Promise<void> {
  if (entries.length === 0) return;
  await insertDebtEvents(em, debtId, entries, { at: new Date(at), asBooked: options.asBooked === true });
  addCounts(em, entries.flatMap(countsOfEvent));
  for (const entry of entries) await followEvent(em, debtId, entry);
}

/** Adds one event to each of many debts in one statement. */
export async function recordEach(
  em: EntityManager,
  entries: readonly (NewDebtEvent & { readonly debtId: string; readonly at: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  await insertEventOfEach(
    em,
    entries.map((entry) => ({ ...entry, at: new Date(entry.at) })),
  );
  addCounts(em, entries.flatMap(countsOfEvent));
}
