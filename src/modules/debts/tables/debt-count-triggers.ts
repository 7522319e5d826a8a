/**
 * The triggers that update `campaign_status_counts` and `campaign_due_counts`. The migrations `campaign_status_counts`
 * and `work_of_the_staff` create their function.
 */
const countOn = (event: 'insert' | 'update' | 'delete', tables: string, condition = '') => ({
  name: `debts_counted_on_${event}`,
  timing: 'after' as const,
  events: [event],
  forEach: 'statement' as const,
  expression: `create trigger "debts_counted_on_${event}" after ${event} on "debts" referencing ${tables} for each statement ${condition}execute function count_debts_by_status()`,
});

// There is one trigger for each event, because only a trigger of one event and all columns may have transition tables.
export const DEBT_COUNT_TRIGGERS = [
  countOn('insert', 'new table as added'),
  // Triggers update a debt only to number its events, which changes no count.
  countOn('update', 'old table as removed new table as added', 'when (pg_trigger_depth() = 0) '),
  countOn('delete', 'old table as removed'),
];
