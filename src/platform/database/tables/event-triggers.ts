/**
 * The triggers that write events, their deliveries and the lines of evidence. Their functions are in `events.sql` and `evidence.sql` of
 * `src/platform/database/routines`; migrations create them empty, because a trigger needs its function.
 */
const forEachStatement = (table: string, name: string, event: 'insert' | 'update', tables: string, call: string) => ({
  name,
  timing: 'after' as const,
  events: [event],
  forEach: 'statement' as const,
  expression: `create trigger "${name}" after ${event} on "${table}" referencing ${tables} for each statement execute function ${call}()`,
});

const forEachRow = (table: string, name: string, condition: string, call: string) => ({
  name,
  timing: 'after' as const,
  events: ['update' as const],
  forEach: 'row' as const,
  expression: `create trigger "${name}" after update on "${table}" for each row when (${condition}) execute function ${call}()`,
});

/** Counts the event that the changed status is. */
const countStatus = (table: string) => ({
  name: `${table}_event_counted`,
  timing: 'before' as const,
  events: ['update' as const],
  forEach: 'row' as const,
  expression: `create trigger "${table}_event_counted" before update of status on "${table}" for each row when (old.status is distinct from new.status) execute function count_event()`,
});

export const DEBT_EVENT_TRIGGERS = [
  countStatus('debts'),
  forEachStatement('debts', 'debts_told_on_insert', 'insert', 'new table as added', 'tell_of_debts'),
  forEachStatement(
    'debts',
    'debts_told_on_update',
    'update',
    'old table as removed new table as added',
    'tell_of_debts',
  ),
];

export const TIMELINE_TRIGGERS = [
  forEachStatement('debt_events', 'debt_events_chained', 'insert', 'new table as added', 'chain_timeline'),
  forEachStatement('debt_events', 'debt_events_told', 'insert', 'new table as added', 'tell_of_timeline'),
];

/** The first outcome of a sending is told by its entry of the timeline, and every later one is an entry of its own. */
export const DELIVERY_CHAINED = forEachRow(
  'messages',
  'messages_delivery_chained',
  "new.delivery is distinct from old.delivery and old.delivery not in ('waiting', 'booked')",
  'chain_delivery',
);

export const RECEIPT_TRIGGER = forEachRow(
  'receipts',
  'receipts_told',
  'new.revoked_at is not null and new.revoked_at is distinct from old.revoked_at',
  'tell_of_receipt',
);

export const CAMPAIGN_EVENT_TRIGGERS = [
  countStatus('campaigns'),
  forEachRow('campaigns', 'campaigns_told', 'new.status is distinct from old.status', 'tell_of_campaign'),
];

export const DELIVERY_TRIGGER = forEachStatement(
  'events',
  'events_delivered',
  'insert',
  'new table as added',
  'queue_deliveries',
);
