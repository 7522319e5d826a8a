import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { BacklogKind, Check, ClientFilter, ProblemKind } from '../rules/operator-limits.ts';

const MAX_CLIENTS = 100;

const CLIENT = ['id', 'name', 'email', 'cnpj', 'address', 'status', 'createdAt'] as const;
const EMAIL_CONFIRMED = sql<boolean>`email_confirmed_at is not null`.as('emailConfirmed');
const VERIFIED = sql<boolean>`verified_at is not null`.as('verified');

interface Wanted {
  readonly text: string;
  readonly filter: ClientFilter;
}

/** The newest clients whose name or e-mail contains the text, or whose CNPJ or id it is. An empty text finds all. */
export const CLIENTS_OF_OPERATOR = prepared('operator_clients', (queries, { text, filter }: Wanted) =>
  queries
    .selectFrom('clients')
    .select([...CLIENT, EMAIL_CONFIRMED, VERIFIED])
    .select(sql<number>`(select count(*)::int from operator_problems(clients.id))`.as('problems'))
    .select(sql<number>`(count(*) over ())::int`.as('found'))
    .where(
      sql<boolean>`(position(lower(${text}::text) in lower(name)) > 0 or position(lower(${text}::text) in email) > 0
        or cnpj = regexp_replace(upper(${text}::text), '[^0-9A-Z]', '', 'g') or id::text = lower(${text}::text))`,
    )
    .where(
      sql<boolean>`(${filter}::text = 'all' or status = upper(${filter}::text)
        or ${filter}::text = 'unverified' and verified_at is null and status <> 'CANCELLED')`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(sql.lit(MAX_CLIENTS)),
);

/** Who has verified the client as it is now, and what was checked; undefined while it is not verified. */
export const verificationOf = async (tx: Tx, clientId: string) =>
  (
    await sql<{ at: Date; operator: string | null; checked: Check[] | null }>`
      select c.verified_at as at, o.email as operator, a.details -> 'checked' as checked from clients c
      left join operator_acts a on a.client_id = c.id and a.action = 'client_verified' and a.at = c.verified_at
      left join operators o on o.id = a.operator_id
      where c.id = ${clientId} and c.verified_at is not null`.execute(queriesIn(tx))
  ).rows[0];

export const senderNamesOf = async (tx: Tx, clientId: string): Promise<string[]> =>
  (
    await queriesIn(tx)
      .selectFrom('campaigns')
      .select('senderName')
      .distinct()
      .where('clientId', '=', clientId)
      .where('senderName', 'is not', null)
      .orderBy('senderName')
      .execute()
  ).map(({ senderName }) => senderName!);

export interface Problem {
  readonly kind: ProblemKind;
  readonly clientId: string;
  readonly clientName: string;
  /** The channel or the payment provider; null for a webhook. */
  readonly about: string | null;
  readonly since: Date;
}

/** The functions are those of `src/platform/database/routines/operators.sql`. */
export const problemsOf = async (tx: Tx, clientId: string | null): Promise<Problem[]> =>
  (
    await sql<Problem>`
      select p.kind, p.client_id, c.name as client_name, p.about, p.since
      from operator_problems(${clientId}::uuid) p join clients c on c.id = p.client_id
      order by p.since, p.client_id, p.kind`.execute(queriesIn(tx))
  ).rows;

/** What waits for one client, or over all of them with null. */
export const backlogOf = async (tx: Tx, clientId: string | null) =>
  (
    await sql<{ kind: BacklogKind; waiting: number; oldestSeconds: number }>`
      select kind, waiting, oldest_seconds from operator_waiting(${clientId}::uuid)`.execute(queriesIn(tx))
  ).rows;

export const parkedRows = async (tx: Tx) =>
  (
    await sql<{ id: string; workflow: string; workflowId: string; createdAt: Date }>`
      select id, workflow, workflow_id, created_at from operator_parked()`.execute(queriesIn(tx))
  ).rows;
