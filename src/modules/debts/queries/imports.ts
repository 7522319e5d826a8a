import { type QueryCreator, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type GivenColumns, inputOf, isKnown, type KnownScope } from './given-debts.ts';

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
export const lockCampaignToImportInto = (tx: Tx, campaign: Campaign) =>
  campaignToImportInto(queriesIn(tx), campaign).forShare('campaigns').executeTakeFirst();

/** Two imports of the same client cannot run at the same time. */
export const lockImports = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${`import:${clientId}`}, 0))`.as('locked'))
    .execute();

export async function lastPosition(tx: Tx, campaignId: string): Promise<number> {
  const { last } = await queriesIn(tx)
    .selectFrom('debts')
    .select(({ fn }) => fn.coalesce(fn.max('position'), sql.lit(0)).as('last'))
    .where('campaignId', '=', campaignId)
    .executeTakeFirstOrThrow();
  return last;
}

/** Returns whether the client has a debt of an erased debtor that an import may not store again. */
export async function hasErasedDebts(tx: Tx, clientId: string): Promise<boolean> {
  const erased = await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('clientId', '=', clientId)
    .where('erasedPersonKey', 'is not', null)
    .where('status', 'not in', REIMPORTABLE_DEBT_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return erased !== undefined;
}

/** Returns whether the client has corrected amount or due date of a debt. */
export async function hasCorrectedDebts(tx: Tx, clientId: string): Promise<boolean> {
  const corrected = await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('clientId', '=', clientId)
    .where('importedAmountCentavos', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return corrected !== undefined;
}

interface NewDebts extends Campaign {
  readonly scope: KnownScope;
  readonly columns: GivenColumns;
  /** The highest position of the campaign so far. */
  readonly position: number;
  /** Debts that come into a launched campaign are queued at once. */
  readonly status: 'IMPORTED' | 'QUEUED';
  readonly at: Date;
}

const STORED = [
  ...(['id', 'clientId', 'campaignId', 'position', 'debtorName', 'nameKey'] as const),
  ...([
    'debtorPhone',
    'debtorTaxId',
    'debtorEmail',
    'debtorEmails',
    'originalAmountCentavos',
    'dueDate',
    'invoiceId',
    'invoiceKey',
    'consentAt',
    'consentSource',
    'description',
    'status',
    'sandbox',
    'createdAt',
    'updatedAt',
  ] as const),
];

/** Stores the given debts that the client does not have yet, and returns the indexes of the others. */
export async function storeNewDebts(
  tx: Tx,
  { clientId, campaignId, scope, columns, position, status, at }: NewDebts,
): Promise<number[]> {
  const rows = await queriesIn(tx)
    .with('input', (queries) => inputOf(queries, columns))
    .with(
      (cte) => cte('fresh').materialized(),
      (queries) =>
        queries
          .selectFrom('input')
          .selectAll()
          .select(sql<string>`gen_random_uuid()`.as('id'))
          .where((eb) => eb(isKnown(eb, scope), 'is', null)),
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
              'taxId',
              'email',
              sql<string[] | null>`string_to_array(emails, ' ')`.as('emails'),
              'amount',
              'due',
              'invoice',
              'invoiceKey',
              'consentAt',
              'consentSource',
              'description',
              val(status).as('status'),
              val(scope.sandbox).as('sandbox'),
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
