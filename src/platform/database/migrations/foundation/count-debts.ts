const COLUMNS = 'campaign_id, status, due_date, client_id';
const ADDED = `select ${COLUMNS}, 1 as debts, original_amount_centavos as centavos from added where continued_by is null`;
const REMOVED = `select ${COLUMNS}, -1, -original_amount_centavos from removed where continued_by is null`;

/** Adds changes to the counts of one table by one column, in the order in which every transaction writes them. */
const count = (table: string, by: string, changes: string, where: string): string => `
          insert into ${table} as known (campaign_id, ${by}, slot, client_id, debts, amount_centavos)
          select campaign_id, ${by}, own_slot, client_id, sum(debts), sum(centavos)
          from (${changes}) as change (${COLUMNS}, debts, centavos) ${where}
          group by campaign_id, ${by}, client_id having sum(debts) <> 0 or sum(centavos) <> 0
          order by campaign_id, ${by}
          on conflict (campaign_id, ${by}, slot) do update
            set debts = known.debts + excluded.debts, amount_centavos = known.amount_centavos + excluded.amount_centavos;`;
const byStatus = (changes: string): string => count('campaign_status_counts', 'status', changes, '');
const byDueDate = (changes: string, open: readonly string[]): string =>
  count(
    'campaign_due_counts',
    'due_date',
    changes,
    `where status in (${open.map((status) => `'${status}'`).join(', ')})`,
  );

/**
 * Keeps the counts of a campaign's debts by status and by due date. A debt that has several rows counts once, in the
 * campaign of its current row. Statistics sum these few rows, because counting 200,000 debts took 40 to 200 ms.
 *
 * A transaction locks its slot until it ends and writes the statuses in one order. As long as there is a free slot, two
 * transactions never wait for each other's rows here, so they cannot deadlock. The name of the lock is the client, which
 * stands in the setting behind a signature of the transaction. `open` are the statuses by which due dates count.
 */
export const countDebts = (create: 'create' | 'create or replace', open: readonly string[]): string => `
      ${create} function count_debts_by_status() returns trigger language plpgsql as $$
      declare
        own_slot int := pg_backend_pid() % 16;
      begin
        for attempt in 1..16 loop
          exit when pg_try_advisory_xact_lock(hashtext('debts:' || substr(current_setting('app.client_id', true), 65)), own_slot);
          own_slot := (own_slot + 1) % 16;
        end loop;
        if tg_op = 'INSERT' then
          ${byStatus(ADDED)}
          ${byDueDate(ADDED, open)}
        elsif tg_op = 'UPDATE' then
          ${byStatus(`${ADDED} union all ${REMOVED}`)}
          ${byDueDate(`${ADDED} union all ${REMOVED}`, open)}
        else
          ${byStatus(REMOVED)}
          ${byDueDate(REMOVED, open)}
        end if;
        return null;
      end $$;`;
