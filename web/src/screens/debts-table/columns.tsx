import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FoundDebt } from '../../api/client.ts';
import { formatMoment, formatMoney, formatPhone, formatPlainDate } from '../../format.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBTS } from '../../texts/debts.ts';
import { INBOX_REASON } from '../../texts/words.ts';
import { DebtStatusBadge } from '../../ui/status.tsx';
import type { ColumnKey } from './column-choice.ts';
import styles from './debts-table.module.css';
import type { SortKey } from './search.ts';

export interface DebtColumn {
  readonly key: ColumnKey;
  readonly cell: (debt: FoundDebt) => ReactNode;
  readonly sort?: SortKey;
  readonly numeric?: boolean;
}

/** What comes next for a debt. A promise belongs to the person, and stays when the debt is paid. */
function nextOf({ status, holdReason, promisedFor, nextContactAt }: FoundDebt): string {
  if (holdReason !== null) return INBOX_REASON[holdReason];
  if (status === 'PROMISED' && promisedFor !== null) return DEBTS.promised(formatPlainDate(promisedFor));
  return nextContactAt === null ? COMMON.none : formatMoment(nextContactAt);
}

export const COLUMNS: readonly DebtColumn[] = [
  {
    key: 'name',
    sort: 'name',
    cell: ({ id, debtorName }) => (
      <Link to={`/dividas/${id}`} className={styles['person']} title={debtorName}>
        {debtorName}
      </Link>
    ),
  },
  { key: 'amount', sort: 'amount', numeric: true, cell: ({ originalAmount }) => formatMoney(originalAmount) },
  {
    key: 'owedToday',
    numeric: true,
    cell: ({ owedToday, originalAmount }) =>
      owedToday === null || owedToday === originalAmount ? COMMON.none : formatMoney(owedToday),
  },
  { key: 'dueDate', sort: 'dueDate', cell: ({ dueDate }) => formatPlainDate(dueDate) },
  { key: 'status', sort: 'status', cell: ({ status }) => <DebtStatusBadge status={status} /> },
  { key: 'next', sort: 'nextContactAt', cell: (debt) => <span title={nextOf(debt)}>{nextOf(debt)}</span> },
  {
    key: 'campaign',
    cell: ({ campaignId, campaignName }) => (
      <Link to={`/campanhas/${campaignId}`} title={campaignName}>
        {campaignName}
      </Link>
    ),
  },
  { key: 'invoice', cell: ({ invoiceId }) => invoiceId ?? COMMON.none },
  { key: 'phone', cell: ({ debtorPhone }) => formatPhone(debtorPhone) },
  { key: 'score', numeric: true, cell: ({ score }) => score ?? COMMON.none },
];
