import type { Pool } from 'pg';
import type { Database } from './database.ts';

export interface DueAct {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly kind: 'say' | 'pay';
  readonly text: string | null;
}

const LEASE_SECONDS = 30;

const ADD = {
  name: 'sandbox_act_add',
  text: `
    insert into sandbox_acts (client_id, debt_id, kind, text, due_at)
    select $1, $2, $3, $4, now() + interval '150 milliseconds' where not exists (
      select 1 from sandbox_acts where debt_id = $2 and kind = $3
    )`,
};

/** Each debtor does each thing once, and not before the message that it answers has been written down as sent. */
export async function addSandboxAct(db: Pick<Database, 'write'>, act: Omit<DueAct, 'id'>): Promise<void> {
  await db.write({ clientId: act.clientId }, ADD, [act.clientId, act.debtId, act.kind, act.text]);
}

const DUE = {
  name: 'sandbox_acts_due',
  text: `
    select id, client_id as "clientId", debt_id as "debtId", kind, text from sandbox_acts
    where done_at is null and due_at <= now() order by due_at limit $1`,
};

/** Across clients: for quita_worker. */
export async function dueSandboxActs(pool: Pool, limit: number): Promise<DueAct[]> {
  const { rows } = await pool.query<DueAct>({ ...DUE, values: [limit] });
  return rows;
}

const CLAIM = {
  name: 'sandbox_act_claim',
  text: `
    update sandbox_acts set due_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = $1 and done_at is null and due_at <= now() returning id`,
};

/** False when somebody else plays it now. */
export async function claimSandboxAct(db: Pick<Database, 'write'>, act: DueAct): Promise<boolean> {
  return (await db.write({ clientId: act.clientId }, CLAIM, [act.id])).length > 0;
}

const DONE = { name: 'sandbox_act_done', text: 'update sandbox_acts set done_at = now() where id = $1' };

export async function finishSandboxAct(db: Pick<Database, 'write'>, act: DueAct): Promise<void> {
  await db.write({ clientId: act.clientId }, DONE, [act.id]);
}
