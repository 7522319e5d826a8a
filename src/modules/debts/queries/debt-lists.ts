import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';
import { PHONES_OF_DEBT } from './debt-phones.ts';
import { ofPersonOf } from './person-requests.ts';

/** The columns of a debt that its client sees in lists. */
export const DEBT_COLUMNS = [
  'debts.id',
  'debts.campaignId',
  'debts.position',
  'debts.status',
  'debts.score',
  'debts.debtorName',
  'debts.debtorPhone',
  'debts.debtorTaxId',
  'debts.debtorEmail',
  'debts.debtorEmails',
  'debts.originalAmountCentavos',
  'debts.dueDate',
  'debts.invoiceId',
  'debts.consentAt',
  'debts.consentSource',
  'debts.description',
  PHONES_OF_DEBT.as('phones'),
] as const;

export const READ_DEBT = prepared(
  'read_debt',
  (queries, params: { readonly clientId: string; readonly debtId: string }) =>
    queries
      .selectFrom('debts')
      .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
      .leftJoin('person_requests', (join) => join.on((eb) => ofPersonOf(eb)))
      .select(DEBT_COLUMNS)
      .select(['person_requests.staffAnswersUntil', 'debts.clockOffsetMs', 'debts.sandbox'])
      .select(['debts.scoreReasons', 'debts.createdAt', 'debts.scoredAt', 'campaigns.launchedAt', 'debts.importedBy'])
      .select(nameOfMember('debts.imported_by').as('importerName'))
      .select((debt) => [
        debt('debts.erasedAt', 'is not', null).$castTo<boolean>().as('erased'),
        // The open page of the person; null until it is made.
        debt
          .selectFrom('debtor_pages')
          .select('debtor_pages.id')
          .whereRef('debtor_pages.clientId', '=', 'debts.clientId')
          .whereRef('debtor_pages.debtorTaxId', '=', 'debts.debtorTaxId')
          .whereRef('debtor_pages.sandbox', '=', 'debts.sandbox')
          .where('debtor_pages.closedAt', 'is', null)
          .as('pageId'),
      ])
      .select((debt) =>
        debt
          .selectFrom('debt_events')
          .select(sql<string>`data ->> 'from'`.as('from'))
          .whereRef('debt_events.debtId', '=', 'debts.id')
          .where('debt_events.kind', '=', 'status_changed')
          .orderBy('debt_events.seq')
          .limit(1)
          .as('firstLeft'),
      )
      .where('debts.clientId', '=', params.clientId)
      .where('debts.id', '=', params.debtId),
);

export interface DebtFilter {
  readonly status?: DebtStatus | undefined;
  readonly invoiceId?: string | undefined;
}

interface DebtPage extends DebtFilter {
  readonly clientId: string;
  readonly campaignId: string;
  /** The key of `invoiceId`, which has the index. */
  readonly invoiceKey: string | undefined;
  /** The position of the last debt of the page before. */
  readonly after: number;
  readonly limit: number;
}

/** Lists the debts of a campaign in the order of import. */
const debtList = (name: string, filters: { readonly byInvoice: boolean; readonly byStatus: boolean }) =>
  prepared(name, (queries, params: DebtPage) =>
    queries
      .selectFrom((filters.byInvoice ? debtsWithInvoice(params) : ALL_DEBTS).as('debts'))
      .select(DEBT_COLUMNS)
      .where('debts.clientId', '=', params.clientId)
      .where('debts.campaignId', '=', params.campaignId)
      .where('debts.position', '>', params.after)
      .$if(filters.byStatus, (query) => query.where('debts.status', '=', sql<DebtStatus>`${params.status}`))
      .orderBy('debts.position')
      .limit(params.limit),
  );

type Debt = Selectable<Tables['debts']>;

const ALL_DEBTS = sql<Debt>`debts`;

// `offset 0` keeps the planner from merging the subquery: before the first ANALYZE it would read the whole campaign
// instead. The subquery is a template so that both sources have one type.
const debtsWithInvoice = ({ clientId, invoiceId, invoiceKey }: DebtPage): RawBuilder<Debt> =>
  sql<Debt>`(select * from debts where client_id = ${clientId} and invoice_key = ${invoiceKey}
    and invoice_id = ${invoiceId} offset 0)`;

const LIST_DEBTS = debtList('list_debts', { byInvoice: false, byStatus: false });
const LIST_DEBTS_STATUS = debtList('list_debts_status', { byInvoice: false, byStatus: true });
const LIST_DEBTS_INVOICE = debtList('list_debts_invoice', { byInvoice: true, byStatus: false });
const LIST_DEBTS_INVOICE_STATUS = debtList('list_debts_invoice_status', { byInvoice: true, byStatus: true });

/**
 * Each set of filters has its own statement, because one statement with optional filters would use no index for any of
 * them.
 */
export function debtListWith({ status, invoiceId }: DebtFilter) {
  if (invoiceId === undefined) return status === undefined ? LIST_DEBTS : LIST_DEBTS_STATUS;
  return status === undefined ? LIST_DEBTS_INVOICE : LIST_DEBTS_INVOICE_STATUS;
}

export type ListedDebt = ReturnType<typeof LIST_DEBTS.rowsOf>[number];
