import { type ExpressionBuilder, sql } from 'kysely';
import { LIVE_DEBT_STATUSES, OPEN_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { anyOf, NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtorPreference } from '../../policy/rules/campaign-settings.ts';
import { PERSON_REQUESTS, type PersonRequest, reasonOfRequest } from '../rules/person-requests.ts';

/** What a person has asked for or told, as a debt of the person is joined with it. */
export const PERSON_REQUEST_COLUMNS = [
  'person_requests.promisedFor',
  'person_requests.saidPaidAt',
  'person_requests.staffAnswersUntil',
  'person_requests.preference',
  sql<PersonRequest[]>`coalesce(person_requests.requests, '{}')`.as('requests'),
] as const;

/** The row of the person of a debt. Erased debts of different persons have the same empty CPF, of which there is no row. */
export const ofPersonOf = (eb: ExpressionBuilder<Tables, 'debts' | 'person_requests'>): ReturnType<typeof eb.and> =>
  eb.and([
    eb('person_requests.clientId', '=', eb.ref('debts.clientId')),
    eb('person_requests.debtorTaxId', '=', eb.ref('debts.debtorTaxId')),
    eb('person_requests.sandbox', '=', eb.ref('debts.sandbox')),
  ]);

/** A person with a client. Sandbox debts and real debts of one CPF belong to different persons. */
export interface PersonOfClient {
  readonly clientId: string;
  readonly debtorTaxId: string;
  readonly sandbox: boolean;
}

interface Told {
  readonly promisedFor?: string | null;
  readonly saidPaidAt?: Date | null;
  readonly staffAnswersUntil?: Date | null;
}

/** Stores what the person has told. Members that are absent stay as they are. Nothing is stored of an erased person. */
export async function storeTold(tx: Tx, person: PersonOfClient, told: Told): Promise<void> {
  const { clientId, debtorTaxId, sandbox } = person;
  if (debtorTaxId === '') return;
  await queriesIn(tx)
    .insertInto('person_requests')
    .values({ clientId, debtorTaxId, sandbox, ...told })
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'debtorTaxId', 'sandbox']).doUpdateSet({ ...told, updatedAt: NOW }),
    )
    .execute();
}

/** Stores when and how the person wants to be written to; null ends it. The next contacts are planned again by it. */
export async function storePreference(
  tx: Tx,
  { clientId, debtorTaxId, sandbox }: PersonOfClient,
  wanted: DebtorPreference | null,
): Promise<void> {
  if (debtorTaxId === '') return;
  const preference = wanted === null ? null : sql<DebtorPreference>`${JSON.stringify(wanted)}::jsonb`;
  await queriesIn(tx)
    .insertInto('person_requests')
    .values({ clientId, debtorTaxId, sandbox, preference })
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'debtorTaxId', 'sandbox']).doUpdateSet({ preference, updatedAt: NOW }),
    )
    .execute();
  await queriesIn(tx)
    .updateTable('debts')
    .set({ isPlanOutdated: true })
    .where('clientId', '=', clientId)
    .where('debtorTaxId', '=', debtorTaxId)
    .where('sandbox', '=', sandbox)
    .where('status', 'in', LIVE_DEBT_STATUSES)
    .where('nextContactAt', 'is not', null)
    .execute();
}

/** Opens requests of the person, which wait for a decision of the client. */
export async function openRequests(
  tx: Tx,
  { clientId, debtorTaxId, sandbox }: PersonOfClient,
  requests: readonly PersonRequest[],
): Promise<void> {
  if (debtorTaxId === '' || requests.length === 0) return;
  const added = sql<PersonRequest[]>`${requests}::text[]`;
  await queriesIn(tx)
    .insertInto('person_requests')
    .values({ clientId, debtorTaxId, sandbox, requests: added })
    .onConflict((conflict) =>
      conflict.columns(['clientId', 'debtorTaxId', 'sandbox']).doUpdateSet({
        requests: sql<PersonRequest[]>`array(select distinct unnest(person_requests.requests || ${added}) order by 1)`,
        updatedAt: NOW,
      }),
    )
    .execute();
}

/** Ends requests of the person of a debt. A claim of payment that the client has decided about is no claim any more. */
export const endRequests = (tx: Tx, debtId: string, requests: readonly PersonRequest[]) =>
  queriesIn(tx)
    .updateTable('person_requests')
    .from('debts')
    .set({
      requests: sql<
        PersonRequest[]
      >`array(select each from unnest(person_requests.requests) as each where each <> all(${requests}::text[]))`,
      ...(requests.includes('said_paid') ? { saidPaidAt: null } : {}),
      updatedAt: NOW,
    })
    .where('debts.id', '=', debtId)
    .where((eb) => ofPersonOf(eb as never))
    .execute();

const REASON_OF = sql`case request ${sql.join(
  PERSON_REQUESTS.map((request) => sql`when ${sql.lit(request)} then ${sql.lit(reasonOfRequest(request))}`),
  sql` `,
)} end`;

const OTHER_DEBT = sql`other.debtor_tax_id = person_requests.debtor_tax_id and other.client_id = person_requests.client_id
  and other.sandbox = person_requests.sandbox`;

/** What is left of the requests: those for which a debt of the person stands in the inbox. */
const LEFT = sql<PersonRequest[]>`array(select request from unnest(person_requests.requests) as request
  where exists (select from inbox_items join debts as other on other.id = inbox_items.debt_id
    where ${OTHER_DEBT} and inbox_items.closed_at is null and inbox_items.reason = ${REASON_OF}))`;

/** A claim of payment is about debts that are still open. */
const CLAIM_LEFT = sql<Date | null>`case when exists (select from debts as other
  where ${OTHER_DEBT} and other.status in (${sql.join(OPEN_DEBT_STATUSES.map((status) => sql.lit(status)))}))
  then person_requests.said_paid_at end`;

/**
 * Ends what the persons of these debts have asked for where no debt stands in the inbox for it any more: the debts were
 * paid, withdrawn or archived, which decides about it. Either one debt is meant, or the stopped ones of a campaign.
 * Returns the persons of whom something has ended.
 */
export const endForgottenRequests = (
  tx: Tx,
  { debtId, campaignId }: { readonly debtId?: string; readonly campaignId?: string },
) =>
  queriesIn(tx)
    .updateTable('person_requests')
    .from('debts')
    .set({ requests: LEFT, saidPaidAt: CLAIM_LEFT, updatedAt: NOW })
    .$if(debtId !== undefined, (query) => query.where('debts.id', '=', debtId ?? ''))
    .$if(debtId === undefined, (query) =>
      query.where('debts.campaignId', '=', campaignId ?? '').where('debts.status', '=', 'STOPPED'),
    )
    .where((eb) => ofPersonOf(eb as never))
    .where(sql<boolean>`(person_requests.requests <> '{}' or person_requests.said_paid_at is not null)`)
    .where(
      sql<boolean>`(person_requests.requests <> ${LEFT} or person_requests.said_paid_at is distinct from ${CLAIM_LEFT})`,
    )
    .returning(['person_requests.clientId', 'person_requests.debtorTaxId', 'person_requests.sandbox'])
    .execute();

/** Returns the active agreements of a person, as the workflow of each is addressed. */
export const activeAgreementsOfPerson = (tx: Tx, { clientId, debtorTaxId, sandbox }: PersonOfClient) =>
  queriesIn(tx)
    .selectFrom('agreements')
    .innerJoin('debts', 'debts.agreementId', 'agreements.id')
    .select(['agreements.id', 'agreements.clientId', 'agreements.sandbox'])
    .select(({ fn }) => fn.max('debts.clockOffsetMs').as('clockOffsetMs'))
    .where('agreements.status', '=', 'ACTIVE')
    .where('debts.clientId', '=', clientId)
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .groupBy('agreements.id')
    .orderBy('agreements.id')
    .execute();

/** A contact has ended the promise: its date has passed, or the gate would have refused the contact. */
export const endPromise = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .updateTable('person_requests')
    .from('debts')
    .set({ promisedFor: null, updatedAt: NOW })
    .where('debts.id', '=', debtId)
    .where('person_requests.promisedFor', 'is not', null)
    .where((eb) => ofPersonOf(eb as never))
    .execute();

/**
 * A payment has come, as the person said. The live debts of the person, whose next decision was to be made at the end of
 * that silence, are planned again.
 */
export const endClaim = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .with('ended', (queries) =>
      queries
        .updateTable('person_requests')
        .from('debts')
        .set({ saidPaidAt: null, updatedAt: NOW })
        .where('debts.id', '=', debtId)
        .where('person_requests.saidPaidAt', 'is not', null)
        .where((eb) => ofPersonOf(eb as never))
        .returning(['person_requests.clientId', 'person_requests.debtorTaxId', 'person_requests.sandbox']),
    )
    .updateTable('debts')
    .from('ended')
    .set({ isPlanOutdated: true })
    .whereRef('debts.clientId', '=', 'ended.clientId')
    .whereRef('debts.debtorTaxId', '=', 'ended.debtorTaxId')
    .whereRef('debts.sandbox', '=', 'ended.sandbox')
    .where('debts.status', 'in', LIVE_DEBT_STATUSES)
    .where('debts.nextContactAt', 'is not', null)
    .execute();

/** Returns what these people have asked for or told in one world, by their CPF or CNPJ. */
export async function requestsOfPersons(
  tx: Tx,
  { taxIds, sandbox }: { readonly taxIds: readonly string[]; readonly sandbox: boolean },
) {
  const rows = await queriesIn(tx)
    .selectFrom('person_requests')
    .select(['debtorTaxId', ...PERSON_REQUEST_COLUMNS])
    .where('debtorTaxId', '=', anyOf(taxIds, 'text'))
    .where('sandbox', '=', sandbox)
    .execute();
  return new Map(rows.map(({ debtorTaxId, ...told }) => [debtorTaxId, told]));
}

/** Deletes what a person has asked for of whom the client has no debt left that names it. */
export const deletePersonRequests = (tx: Tx, clientId: string, debtorTaxId: string) =>
  queriesIn(tx)
    .deleteFrom('person_requests')
    .where('clientId', '=', clientId)
    .where('debtorTaxId', '=', debtorTaxId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('debts')
            .select('debts.id')
            .where('debts.clientId', '=', clientId)
            .where('debts.debtorTaxId', '=', debtorTaxId),
        ),
      ),
    )
    .execute();
