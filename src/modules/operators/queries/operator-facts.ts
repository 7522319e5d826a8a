import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ProblemKind } from '../rules/operator-limits.ts';

const MAX_CLIENTS = 100;

const CLIENT = ['id', 'name', 'email', 'cnpj', 'address', 'status', 'createdAt'] as const;
const EMAIL_CONFIRMED = sql<boolean>`email_confirmed_at is not null`.as('emailConfirmed');
const VERIFIED = sql<boolean>`verified_at is not null`.as('verified');

/** The newest clients whose name or e-mail contains the text, or whose CNPJ or id it is. An empty text finds all. */
export const CLIENTS_OF_OPERATOR = prepared('operator_clients', (queries, { text }: { readonly text: string }) =>
  queries
    .selectFrom('clients')
    .select([...CLIENT, EMAIL_CONFIRMED, VERIFIED])
    .select(sql<number>`(count(*) over ())::int`.as('found'))
    .where(
      sql<boolean>`(position(lower(${text}::text) in lower(name)) > 0 or position(lower(${text}::text) in email) > 0
        or cnpj = regexp_replace(upper(${text}::text), '[^0-9A-Z]', '', 'g') or id::text = lower(${text}::text))`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(sql.lit(MAX_CLIENTS)),
);

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
  /** The channel or the payment provider; null for a webhook. */
  readonly about: string | null;
  readonly since: Date;
}

/** The functions are those of `src/platform/database/routines/operators.sql`. */
export const problemsOf = async (tx: Tx, clientId: string | null): Promise<Problem[]> =>
  (
    await sql<Problem>`select kind, client_id, about, since from operator_problems(${clientId}::uuid)`.execute(
      queriesIn(tx),
    )
  ).rows;

export const backlog = async (tx: Tx) =>
  (
    await sql<{ kind: string; waiting: number; oldestSeconds: number }>`
      select kind, waiting, oldest_seconds from operator_backlog()`.execute(queriesIn(tx))
  ).rows;

export const parkedRows = async (tx: Tx) =>
  (
    await sql<{ id: string; workflow: string; workflowId: string; createdAt: Date }>`
      select id, workflow, workflow_id, created_at from operator_parked()`.execute(queriesIn(tx))
  ).rows;
