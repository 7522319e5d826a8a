/** What keeps `campaign_status_counts`; the function is in the migration of that name. */
const countOn = (event: 'insert' | 'update' | 'delete', tables: string) => ({
  name: `debts_counted_on_${event}`,
  timing: 'after' as const,
  events: [event],
  forEach: 'statement' as const,
  expression: `create trigger "debts_counted_on_${event}" after ${event} on "debts" referencing ${tables} for each statement execute function count_debts_by_status()`,
});

// One trigger for each: PostgreSQL gives these tables to triggers of a single event only, and of all columns.
export const DEBT_COUNT_TRIGGERS = [
  countOn('insert', 'new table as added'),
  countOn('update', 'old table as removed new table as added'),
  countOn('delete', 'old table as removed'),
];
