import type { EntityManager } from '@mikro-orm/postgresql';
import type { DebtEventKind } from '../../db/entities/debt-event.ts';
import { runInTransaction } from '../../db/statement.ts';

export interface TimelineEntry {
  readonly kind: DebtEventKind;
  /** The client sees it unchanged. It contains ids, numbers and rule names, never a debtor's words or personal data. */
  readonly data: Readonly<Record<string, unknown>>;
}

// The update locks the debt's row until the end of the transaction, so that two writers cannot make the timeline go
// back.
const RECORD = `
  with held as (
    update debts set last_event_at = greatest(last_event_at, $2::timestamptz), updated_at = now()
    where id = $1
    returning id, client_id, last_event_at
  )
  insert into debt_events (client_id, debt_id, at, kind, data)
  select held.client_id, held.id, case when $5::boolean then $2::timestamptz else held.last_event_at end, entry.kind, entry.data
  from held, unnest($3::text[], $4::jsonb[]) with ordinality as entry (kind, data, place)
  order by entry.place`;

/**
 * Adds events to a debt's timeline in the given order. `at` is by the debt's own clock. With `asBooked` the events keep
 * that moment even when later events are stored already, because the gate decided about and counted that moment.
 */
export async function recordEvents(
  em: EntityManager,
  debtId: string,
  at: number,
  entries: readonly TimelineEntry[],
  options: { readonly asBooked?: boolean } = {},
): Promise<void> {
  if (entries.length === 0) return;
  await runInTransaction(em, RECORD, [
    debtId,
    new Date(at),
    entries.map((entry) => entry.kind),
    entries.map((entry) => JSON.stringify(entry.data)),
    options.asBooked === true,
  ]);
}

// The debts are locked in the order of their ids, as every transaction locks several debts.
const RECORD_EACH = `
  with given as (
    select * from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::jsonb[]) as given (debt_id, at, kind, data)
  ), locked as (
    select id from debts where id in (select debt_id from given) order by id for no key update
  ), held as (
    update debts set last_event_at = greatest(last_event_at, given.at), updated_at = now()
    from given join locked on locked.id = given.debt_id
    where debts.id = given.debt_id
    returning debts.id, debts.client_id, debts.last_event_at, given.kind, given.data
  )
  insert into debt_events (client_id, debt_id, at, kind, data)
  select client_id, id, last_event_at, kind, data from held order by id`;

/** Adds one event to each of many debts in one statement. */
export async function recordEach(
  em: EntityManager,
  entries: readonly (TimelineEntry & { readonly debtId: string; readonly at: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  await runInTransaction(em, RECORD_EACH, [
    entries.map((entry) => entry.debtId),
    entries.map((entry) => new Date(entry.at)),
    entries.map((entry) => entry.kind),
    entries.map((entry) => JSON.stringify(entry.data)),
  ]);
}
