import { type QueryCreator, type Selectable, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { ACTING_MEMBER, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { takenTermsId } from '../../terms/queries/late-payment-terms.ts';

type Debt = Selectable<Tables['debts']>;

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

/** One debt to be stored. */
interface NewDebt {
  readonly id: string;
  readonly position: number;
  readonly name: Debt['debtorName'];
  readonly nameKey: Debt['nameKey'];
  readonly phone: Debt['debtorPhone'];
  readonly taxId: Debt['debtorTaxId'];
  readonly email: Debt['debtorEmail'];
  /** All e-mail addresses of a debt that has several, with spaces between; otherwise null. */
  readonly emails: string | null;
  readonly amount: Debt['originalAmountCentavos'];
  readonly due: Debt['dueDate'];
  readonly invoice: Debt['invoiceId'];
  readonly invoiceKey: Debt['invoiceKey'];
  readonly consentAt: Debt['consentAt'];
  readonly consentSource: Debt['consentSource'];
  readonly description: Debt['description'];
}

interface NewPhone {
  readonly debtId: string;
  readonly position: number;
  readonly phone: string;
}

export interface NewDebts extends Campaign {
  readonly sandbox: boolean;
  /** The columns of the debts as array literals, because a literal is one parameter and quick to bind. */
  readonly debts: Readonly<Record<keyof NewDebt, string>>;
  /** All phones of the debts that have several, or null when there are none. */
  readonly phones: Readonly<Record<keyof NewPhone, string>> | null;
  /** Debts that come into a launched campaign are queued at once. */
  readonly status: 'IMPORTED' | 'QUEUED';
  readonly at: Date;
}

/** The version of the terms that a given debt takes in a launched campaign. */
const termsOfGiven = (clientId: string) =>
  sql<string | null>`(select ${takenTermsId('given.due', 'own.id')} from (values (${clientId}::uuid)) as own (id))`;

/** Stores debts that the client does not have yet. */
export async function storeNewDebts(tx: Tx, { debts, phones, ...to }: NewDebts): Promise<void> {
  const { id, position, name, nameKey, phone, taxId, email, emails, amount, due } = debts;
  const { invoice, invoiceKey, consentAt, consentSource, description } = debts;
  await queriesIn(tx)
    .insertInto('debts')
    .columns([
      ...(['id', 'clientId', 'campaignId', 'position', 'debtorName', 'nameKey', 'debtorPhone', 'debtorTaxId'] as const),
      ...(['debtorEmail', 'debtorEmails', 'originalAmountCentavos', 'dueDate', 'invoiceId', 'invoiceKey'] as const),
      ...(['consentAt', 'consentSource', 'description', 'status', 'sandbox', 'createdAt', 'updatedAt'] as const),
      ...(['termsId', 'importedBy'] as const),
    ])
    .expression(({ selectFrom, val }) =>
      selectFrom(
        sql<NewDebt>`unnest(${id}::uuid[], ${position}::int[], ${name}::text[], ${nameKey}::text[], ${phone}::text[],
          ${taxId}::text[], ${email}::text[], ${emails}::text[], ${amount}::bigint[], ${due}::date[], ${invoice}::text[],
          ${invoiceKey}::text[], ${consentAt}::text[], ${consentSource}::text[], ${description}::text[])`.as<'given'>(
          sql`given (id, position, name, name_key, phone, tax_id, email, emails, amount, due, invoice, invoice_key,
            consent_at, consent_source, description)`,
        ),
      ).select([
        'id',
        val(to.clientId).as('clientId'),
        val(to.campaignId).as('campaignId'),
        'position',
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
        val(to.status).as('status'),
        val(to.sandbox).as('sandbox'),
        val(to.at).as('createdAt'),
        val(to.at).as('updatedAt'),
        // A debt of a draft takes its terms at the launch.
        (to.status === 'QUEUED' ? termsOfGiven(to.clientId) : sql<null>`null::uuid`).as('termsId'),
        ACTING_MEMBER.as('importedBy'),
      ]),
    )
    .execute();
  if (phones === null) return;
  await queriesIn(tx)
    .insertInto('debt_phones')
    .columns(['debtId', 'position', 'clientId', 'phone'])
    .expression(({ selectFrom, val }) =>
      selectFrom(
        sql<NewPhone>`unnest(${phones.debtId}::uuid[], ${phones.position}::int[], ${phones.phone}::text[])`.as<'given'>(
          sql`given (debt_id, position, phone)`,
        ),
      ).select(['debtId', 'position', val(to.clientId).as('clientId'), 'phone']),
    )
    .execute();
}
