import type { App } from './app.ts';

/** Returns how many sessions of the database wait for a lock that another one holds. */
export async function waitingSessions({ query }: Pick<App, 'query'>): Promise<number> {
  const waiting = await query(
    'select distinct pid from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted',
  );
  return waiting.length;
}
