import { type Insertable, sql } from 'kysely';
import { OWED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { anyOf, NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';
import { currentRowOf } from '../../debts/queries/debts.ts';
import { closeInboxItems, openInboxItem } from '../../debts/queries/inbox-items.ts';
import type { Person } from '../../debts/queries/persons.ts';
import type { RequestState } from '../rules/request-states.ts';
import type { Outcome, RightsKind } from '../rules/rights-request.ts';

const COLUMNS = [
  'rights_requests.id',
  'rights_requests.debtId',
  'rights_requests.kind',
  'rights_requests.protocol',
  'rights_requests.text',
  'rights_requests.createdAt',
  'rights_requests.dueAt',
  'rights_requests.answeredAt',
  'rights_requests.outcome',
  'rights_requests.answer',
  'rights_requests.changed',
] as const;

type NewRequest = Pick<
  Insertable<Tables['rights_requests']>,
  'id' | 'clientId' | 'debtId' | 'kind' | 'protocol' | 'text' | 'dueAt' | 'answeredAt' | 'outcome' | 'createdAt'
>;

export const insertRequest = (tx: Tx, request: NewRequest) =>
  queriesIn(tx).insertInto('rights_requests').values(request).execute();

/** Returns the request with the same words about the debt that waits for its answer. */
export const waitingRequest = (
  tx: Tx,
  { debtId, kind, text }: { readonly debtId: string; readonly kind: RightsKind; readonly text: string },
) =>
  queriesIn(tx)
    .selectFrom('rights_requests')
    .select('protocol')
    .where('debtId', '=', debtId)
    .where('kind', '=', kind)
    .where('text', '=', text)
    .where('answeredAt', 'is', null)
    .executeTakeFirst();

export const insertFile = (
  tx: Tx,
  file: Pick<
    Insertable<Tables['rights_files']>,
    'clientId' | 'debtId' | 'requestId' | 'contentType' | 'bytes' | 'sealed'
  >,
) => queriesIn(tx).insertInto('rights_files').values(file).execute();

/** What a person has asked for, the latest first. */
export const requestsOfPerson = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  queriesIn(tx)
    .selectFrom('rights_requests')
    .innerJoin('debts', 'debts.id', 'rights_requests.debtId')
    .select(COLUMNS)
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .orderBy('rights_requests.createdAt', 'desc')
    .orderBy('rights_requests.id')
    .execute();

interface RequestPage {
  readonly clientId: string;
  readonly debtId: string | null;
  readonly state: RequestState;
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly limit: number;
}

const HAS_FILE = sql<{ readonly contentType: string; readonly bytes: number } | null>`(
  select jsonb_build_object('contentType', rights_files.content_type, 'bytes', rights_files.bytes)
  from rights_files where rights_files.request_id = rights_requests.id)`;

const selectForStaff = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('rights_requests')
    .innerJoin('debts', 'debts.id', 'rights_requests.debtId')
    .select(COLUMNS)
    .select(['debts.debtorName', 'debts.sandbox', 'rights_requests.answeredBy'])
    .select([HAS_FILE.as('file'), nameOfMember('rights_requests.answered_by').as('answeredByName')]);

/** Lists the requests to a client, the latest first. */
export const listRequests = (tx: Tx, { clientId, debtId, state, after, limit }: RequestPage) =>
  selectForStaff(tx)
    .where('rights_requests.clientId', '=', clientId)
    .$if(debtId !== null, (query) =>
      // A debt that was imported again is one with its earlier rows.
      query.where('debts.identityId', '=', ({ selectFrom }) =>
        selectFrom('debts as named')
          .select('named.identityId')
          .where('named.id', '=', debtId ?? ''),
      ),
    )
    .$if(state === 'open', (query) => query.where('rights_requests.answeredAt', 'is', null))
    .$if(state === 'answered', (query) => query.where('rights_requests.answeredAt', 'is not', null))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(rights_requests.created_at, rights_requests.id)
          < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid)`,
      ),
    )
    .orderBy('rights_requests.createdAt', 'desc')
    .orderBy('rights_requests.id', 'desc')
    .limit(limit)
    .execute();

export type RequestRow = Awaited<ReturnType<typeof listRequests>>[number];

export const readRequest = (tx: Tx, id: string) =>
  selectForStaff(tx).where('rights_requests.id', '=', id).executeTakeFirst();

/** Locks a request, so that it is answered once. */
export const lockRequest = (tx: Tx, id: string) =>
  queriesIn(tx)
    .selectFrom('rights_requests')
    .select(['id', 'debtId', 'answeredAt'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const storeAnswer = (
  tx: Tx,
  id: string,
  answer: { readonly answer: string; readonly outcome: Outcome; readonly changed: readonly string[] },
) =>
  queriesIn(tx)
    .updateTable('rights_requests')
    .set({
      answer: answer.answer,
      outcome: answer.outcome,
      changed: [...answer.changed],
      answeredAt: NOW,
      // The signed setting of the transaction names the member, as in `writtenBy`.
      answeredBy: sql<string | null>`(quita_scope('app.member'))::uuid`,
    })
    .where('id', '=', id)
    .execute();

/** Returns the first term of the requests about a debt that wait for an answer; null when none waits. */
export async function nextDueAt(tx: Tx, debtId: string): Promise<Date | null> {
  const { dueAt } = await queriesIn(tx)
    .selectFrom('rights_requests')
    .innerJoin('debts', 'debts.id', 'rights_requests.debtId')
    .select(({ fn }) => fn.min('rights_requests.dueAt').as('dueAt'))
    .where('rights_requests.answeredAt', 'is', null)
    .where('debts.identityId', '=', ({ selectFrom }) =>
      selectFrom('debts as named').select('named.identityId').where('named.id', '=', debtId),
    )
    .executeTakeFirstOrThrow();
  return dueAt;
}

/** The debt stands in the inbox for what still waits for an answer, with the first term of it. */
export async function followWaiting(tx: Tx, debtId: string): Promise<void> {
  await closeInboxItems(tx, (await currentRowOf(tx, debtId)) ?? debtId, ['rights']);
  const dueAt = await nextDueAt(tx, debtId);
  if (dueAt !== null) await openInboxItem(tx, debtId, 'rights', { exceptIn: [], dueAt });
}

export const STORED_FILE = prepared('rights_file', (queries, { requestId }: { readonly requestId: string }) =>
  queries
    .selectFrom('rights_files')
    .select(['requestId', 'clientId', 'contentType', 'sealed'])
    .where('requestId', '=', requestId),
);

/**
 * Moves what still waits for an answer, with its files, from these debts to one that the client keeps of the person: the
 * same debt where it was imported again, or else the one that stands for the person. The rows of the person are locked.
 */
export async function keepWaiting(tx: Tx, debtorTaxId: string, debtIds: readonly string[]): Promise<void> {
  const kept = await queriesIn(tx)
    .selectFrom('rights_requests')
    .innerJoin('debts as erased', 'erased.id', 'rights_requests.debtId')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('debts')
          .select('debts.id')
          .whereRef('debts.clientId', '=', 'erased.clientId')
          .whereRef('debts.sandbox', '=', 'erased.sandbox')
          .where('debts.debtorTaxId', '=', debtorTaxId)
          .where('debts.continuedBy', 'is', null)
          .orderBy(({ eb, ref }) => eb('debts.identityId', '=', ref('erased.identityId')), 'desc')
          .orderBy(({ eb }) => eb('debts.status', 'in', OWED_DEBT_STATUSES), 'desc')
          .orderBy('debts.dueDate')
          .orderBy('debts.id')
          .limit(1)
          .as('kept'),
      (join) => join.onTrue(),
    )
    .select(['rights_requests.id', 'rights_requests.debtId as erasedId', 'kept.id as debtId'])
    .where('rights_requests.debtId', '=', anyOf(debtIds, 'uuid'))
    .where('rights_requests.answeredAt', 'is', null)
    .execute();
  for (const { id, debtId } of kept) {
    await queriesIn(tx).updateTable('rights_requests').set({ debtId }).where('id', '=', id).execute();
    await queriesIn(tx).updateTable('rights_files').set({ debtId }).where('requestId', '=', id).execute();
  }
  const changed = new Set(kept.flatMap(({ erasedId, debtId }) => [erasedId, debtId]));
  for (const debtId of changed) await followWaiting(tx, debtId);
}

/**
 * An erasure leaves that something was asked and answered, and when; what was said, and the files, go. It ends what still
 * waits, because nobody is left who could read an answer, and none may be written about the person any more.
 */
export async function eraseRights(tx: Tx, debtIds: readonly string[]): Promise<void> {
  await queriesIn(tx)
    .updateTable('rights_requests')
    .set({ text: '', answer: sql<string | null>`case when answer is null then null else '' end` })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .execute();
  const ended = await queriesIn(tx)
    .updateTable('rights_requests')
    .set({ answer: '', outcome: 'granted', answeredAt: NOW })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('answeredAt', 'is', null)
    .returning('debtId')
    .execute();
  for (const debtId of new Set(ended.map((request) => request.debtId))) await followWaiting(tx, debtId);
  await queriesIn(tx).deleteFrom('rights_files').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();
}

/** Deletes the requests of debts whose timelines are purged, with their files. */
export async function purgeRights(tx: Tx, debtIds: readonly string[]): Promise<void> {
  await queriesIn(tx).deleteFrom('rights_files').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();
  await queriesIn(tx).deleteFrom('rights_requests').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();
}
