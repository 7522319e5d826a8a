import type { EntityManager } from '@mikro-orm/postgresql';
import { type ExpressionBuilder, type QueryCreator, type Selectable, type SqlBool, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { prepared, queriesIn, type Tables } from './builder.ts';

interface Campaign {
  readonly clientId: string;
  readonly campaignId: string;
}

/** Selects a campaign with what a launch requires of its client. */
const campaignToImportInto = (queries: QueryCreator<Tables>, { clientId, campaignId }: Campaign) =>
  queries
    .selectFrom('campaigns')
    .innerJoin('clients', 'clients.id', 'campaigns.clientId')
    .select(['campaigns.status', 'campaigns.sandbox', 'campaigns.launchedAt', 'clients.cnpj', 'clients.address'])
    .select((row) => [
      row('clients.verifiedAt', 'is not', null).$castTo<boolean>().as('verified'),
      row('clients.emailConfirmedAt', 'is not', null).$castTo<boolean>().as('confirmed'),
    ])
    .where('campaigns.clientId', '=', clientId)
    .where('campaigns.id', '=', campaignId);

export const CAMPAIGN_TO_IMPORT_INTO = prepared('import_campaign', (queries, params: Campaign) =>
  campaignToImportInto(queries, params),
);

export type CampaignToImportInto = ReturnType<typeof CAMPAIGN_TO_IMPORT_INTO.rowsOf>[number];

/**
 * Waits for a launch, a pause or a completion in progress, and makes a later one wait until the transaction ends. A
 * completion then sees the imported debts.
 */
export const lockCampaignToImportInto = (em: EntityManager, campaign: Campaign) =>
  campaignToImportInto(queriesIn(em), campaign).forShare('campaigns').executeTakeFirst();

/** Two imports of the same client cannot run at the same time. */
export const lockImports = (em: EntityManager, clientId: string) =>
  queriesIn(em)
    .selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${`import:${clientId}`}, 0))`.as('locked'))
    .execute();

export async function lastPosition(em: EntityManager, campaignId: string): Promise<number> {
  const { last } = await queriesIn(em)
    .selectFrom('debts')
    .select(({ fn }) => fn.coalesce(fn.max('position'), sql.lit(0)).as('last'))
    .where('campaignId', '=', campaignId)
    .executeTakeFirstOrThrow();
  return last;
}

/** Returns whether the client has a debt of an erased debtor that an import may not store again. */
export async function hasErasedDebts(em: EntityManager, clientId: string): Promise<boolean> {
  const erased = await queriesIn(em)
    .selectFrom('debts')
    .select('id')
    .where('clientId', '=', clientId)
    .where('erasedPersonKey', 'is not', null)
    .where('status', 'not in', REIMPORTABLE_DEBT_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return erased !== undefined;
}

type Debt = Selectable<Tables['debts']>;

/** One debt of the input. */
interface Given {
  readonly index: number;
  readonly name: Debt['debtorName'];
  readonly nameKey: Debt['nameKey'];
  readonly phone: Debt['debtorPhone'];
  readonly cpf: Debt['debtorCpf'];
  readonly email: Debt['debtorEmail'];
  /** All phones or e-mail addresses of a debt that has several, with spaces between; otherwise null. */
  readonly phones: string | null;
  readonly emails: string | null;
  readonly amount: Debt['originalAmountCentavos'];
  readonly due: Debt['dueDate'];
  readonly invoice: Debt['invoiceId'];
  readonly invoiceKey: Debt['invoiceKey'];
  readonly consentAt: Debt['consentAt'];
  readonly consentSource: Debt['consentSource'];
  readonly personKey: string;
}

/** The columns of the given debts as array literals, because a literal is one parameter and quick to bind. */
export interface GivenColumns extends Readonly<Record<Exclude<keyof Given, 'personKey'>, string>> {
  /** Null when the client has no debt of an erased debtor, so that no debt has to be compared with one. */
  readonly personKey: string | null;
}

function inputOf(queries: QueryCreator<Tables>, { personKey, ...columns }: GivenColumns) {
  const { index, name, nameKey, phone, cpf, email, phones, emails, amount, due } = columns;
  const { invoice, invoiceKey, consentAt, consentSource } = columns;
  const keys = personKey === null ? sql`` : sql`, ${personKey}::text[]`;
  const keyName = personKey === null ? sql`` : sql`, person_key`;
  return queries
    .selectFrom(
      sql<Given>`unnest(${index}::int[], ${name}::text[], ${nameKey}::text[], ${phone}::text[], ${cpf}::text[], ${email}::text[],
        ${phones}::text[], ${emails}::text[], ${amount}::bigint[], ${due}::date[], ${invoice}::text[], ${invoiceKey}::text[],
        ${consentAt}::text[], ${consentSource}::text[]${keys})`.as<'given'>(
        sql`given (index, name, name_key, phone, cpf, email, phones, emails, amount, due, invoice, invoice_key, consent_at,
          consent_source${keyName})`,
      ),
    )
    .selectAll();
}

/**
 * Is true for a debt of `input` that the client has already, otherwise null. Each branch is one look-up in the index
 * `debts_invoice_key` or `debts_person`. With `exists`, PostgreSQL would build a hash table of all debts of the
 * client for each statement. An erased debtor is found by the stored key.
 */
function isKnown(
  { case: cases, fn, selectFrom }: ExpressionBuilder<Tables & { input: Given }, 'input'>,
  clientId: string,
  withErased: boolean,
) {
  const found = selectFrom('debts')
    .select(sql<true>`true`.as('found'))
    .where('debts.clientId', '=', clientId)
    .where('debts.status', 'not in', REIMPORTABLE_DEBT_STATUSES)
    .limit(1);
  const ofSum = found
    .whereRef('debts.originalAmountCentavos', '=', 'input.amount')
    .whereRef('debts.dueDate', '=', 'input.due');
  const ofPerson = ofSum.whereRef('debts.debtorCpf', '=', 'input.cpf');
  const known = cases()
    .when('input.invoice', 'is', null)
    .then(ofPerson.$asScalar())
    .else(
      fn.coalesce(
        found.whereRef('debts.invoiceKey', '=', 'input.invoiceKey').$asScalar(),
        ofPerson.where('debts.invoiceKey', 'is', null).$asScalar(),
      ),
    )
    .end();
  const erased = ofSum
    .whereRef('debts.erasedPersonKey', '=', 'input.personKey')
    .where(({ eb, or }) => or([eb('input.invoice', 'is', null), eb('debts.invoiceId', 'is', null)]));
  return withErased ? fn.coalesce(known, erased.$asScalar()) : known;
}

/** Returns the indexes of the given debts that the client has already. */
export async function knownDebts(em: EntityManager, clientId: string, columns: GivenColumns): Promise<number[]> {
  const queries = queriesIn(em);
  const rows = await queries
    .selectFrom(inputOf(queries, columns).as('input'))
    .select('input.index')
    .where((eb) => isKnown(eb, clientId, columns.personKey !== null).$castTo<SqlBool>())
    .execute();
  return rows.map(({ index }) => index);
}

interface NewDebts extends Campaign {
  readonly columns: GivenColumns;
  /** The highest position of the campaign so far. */
  readonly position: number;
  readonly sandbox: boolean;
  /** Debts that come into a launched campaign are queued at once. */
  readonly status: 'IMPORTED' | 'QUEUED';
  readonly at: Date;
}

const STORED = [
  ...(['id', 'clientId', 'campaignId', 'position', 'debtorName', 'nameKey'] as const),
  ...([
    'debtorPhone',
    'debtorCpf',
    'debtorEmail',
    'debtorEmails',
    'originalAmountCentavos',
    'dueDate',
    'invoiceId',
    'invoiceKey',
    'consentAt',
    'consentSource',
    'status',
    'sandbox',
    'createdAt',
    'updatedAt',
  ] as const),
];

/** Stores the given debts that the client does not have yet, and returns the indexes of the others. */
export async function storeNewDebts(
  em: EntityManager,
  { clientId, campaignId, columns, position, sandbox, status, at }: NewDebts,
): Promise<number[]> {
  const rows = await queriesIn(em)
    .with('input', (queries) => inputOf(queries, columns))
    .with(
      (cte) => cte('fresh').materialized(),
      (queries) =>
        queries
          .selectFrom('input')
          .selectAll()
          .select(sql<string>`gen_random_uuid()`.as('id'))
          .where((eb) => eb(isKnown(eb, clientId, columns.personKey !== null), 'is', null)),
    )
    .with('stored', (queries) =>
      queries
        .insertInto('debts')
        .columns(STORED)
        .expression(
          queries
            .selectFrom('fresh')
            .select(({ val }) => [
              'id',
              val(clientId).as('clientId'),
              val(campaignId).as('campaignId'),
              sql<number>`${position} + row_number() over (order by index)`.as('position'),
              'name',
              'nameKey',
              'phone',
              'cpf',
              'email',
              sql<string[] | null>`string_to_array(emails, ' ')`.as('emails'),
              'amount',
              'due',
              'invoice',
              'invoiceKey',
              'consentAt',
              'consentSource',
              val(status).as('status'),
              val(sandbox).as('sandbox'),
              val(at).as('createdAt'),
              val(at).as('updatedAt'),
            ]),
        ),
    )
    .with('storedPhones', (queries) =>
      queries
        .insertInto('debt_phones')
        .columns(['debtId', 'position', 'clientId', 'phone'])
        .expression(
          queries
            .selectFrom('fresh')
            .innerJoinLateral(
              sql<{
                phone: string;
                position: number;
              }>`unnest(string_to_array(fresh.phones, ' ')) with ordinality`.as<'each'>(sql`each (phone, position)`),
              (join) => join.onTrue(),
            )
            .select(({ val }) => ['fresh.id', 'each.position', val(clientId).as('clientId'), 'each.phone']),
        ),
    )
    .selectFrom('input')
    .select('index')
    .where('index', 'not in', ({ selectFrom }) => selectFrom('fresh').select('fresh.index'))
    .execute();
  return rows.map(({ index }) => index);
}
