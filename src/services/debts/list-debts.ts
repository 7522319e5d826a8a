import type { DebtStatus } from '../../domain/debt-status.ts';
import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../shared/cursor.ts';
import { DEBT_COLUMNS, type DebtColumns, type DebtView, debtView } from './debt-view.ts';

export interface DebtFilter {
  readonly status?: DebtStatus | undefined;
  readonly invoiceId?: string | undefined;
}

export interface ListDebts extends DebtFilter {
  readonly clientId: string;
  readonly campaignId: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const exists = { name: 'campaign_exists', text: 'select 1 from campaigns where client_id = $1 and id = $2' };

// `offset 0` keeps the planner from merging the subquery: before the first ANALYZE it would read the whole campaign
// instead.
const BY_INVOICE = '(select * from debts where client_id = $1 and invoice_id = $5 offset 0) as debts';

/**
 * Each set of filters has its own statement, because one statement with optional filters would use no index for any of
 * them.
 */
const listWith = ({ status, invoiceId }: DebtFilter) => ({
  name: `list_debts${invoiceId === undefined ? '' : '_invoice'}${status === undefined ? '' : '_status'}`,
  text: `select ${DEBT_COLUMNS.join(', ')} from ${invoiceId === undefined ? 'debts' : BY_INVOICE}
    where client_id = $1 and campaign_id = $2 and position > $3
      ${status === undefined ? '' : `and status = $${invoiceId === undefined ? 5 : 6}`}
    order by position limit $4`,
});

const MAX_POSITION = 2 ** 31 - 1;
const position = ([last]: readonly unknown[]): number | null =>
  Number.isInteger(last) && (last as number) >= 0 && (last as number) <= MAX_POSITION ? (last as number) : null;

/** Lists debts in the order of import. */
export const listDebts =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async ({ clientId, campaignId, limit, cursor, status, invoiceId }: ListDebts): Promise<Page<DebtView>> => {
    const after = readCursor(cursor, position) ?? 0;
    const filters = [invoiceId, status].filter((value) => value !== undefined);
    const [campaigns, rows] = await Promise.all([
      db.read({ clientId }, exists, [clientId, campaignId]),
      db.read<DebtColumns>({ clientId }, listWith({ status, invoiceId }), [
        clientId,
        campaignId,
        after,
        limit + 1,
        ...filters,
      ]),
    ]);
    if (campaigns.length === 0) throw new AppError('not_found');
    return pageOf(rows, limit, debtView, (last) => writeCursor(last.position));
  };
