import type { App } from '../../testing/app.ts';
import { until } from '../../testing/poll.ts';

/**
 * The feed shows an event once every transaction of the server that began before it has ended. Other suites have
 * transactions on the same server, so a test waits for those; what the test itself keeps open is not waited for.
 */
export async function settled({ query }: Pick<App, 'query'>): Promise<void> {
  const [now] = await query<{ xid: string }>('select pg_current_xact_id()::xid::text as xid');
  await until('the transactions of other suites have ended', async () => {
    const [others] = await query<{ open: boolean }>(
      `select exists (
         select from pg_locks join pg_stat_activity as activity using (pid)
         where locktype = 'transactionid' and mode = 'ExclusiveLock' and granted
           and activity.datname <> current_database() and age(transactionid) > age($1::xid)
       ) as open`,
      [now?.xid],
    );
    return others?.open === false;
  });
}
