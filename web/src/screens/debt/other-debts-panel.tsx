import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { FoundDebt, GetDebtResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { formatMoney, formatPlainDate } from '../../format.ts';
import { DEBT } from '../../texts/debt.ts';
import { inWrittenOrder } from '../../timeline/plain-text.ts';
import { Panel } from '../../ui/page.tsx';
import { DebtStatusBadge } from '../../ui/status.tsx';
import styles from './debt.module.css';
import { openOf, othersOf, taxIdOf } from './other-debts.ts';

/** The most that one answer of the search has. Nobody has this many debts with one company. */
const MOST = 100;

/** The other debts of the person, by their due date; undefined until they are known. */
export function useOtherDebts(debt: GetDebtResult) {
  const taxId = taxIdOf(debt);
  return useQuery({
    // The number itself is no part of the key, because keys are shown where queries are looked at.
    queryKey: ['debts', 'of the person of', debt.id],
    queryFn: async () => {
      const { items } = await quita.searchDebts({ body: { q: taxId, sort: 'dueDate', limit: MOST } });
      return othersOf(debt, items);
    },
    enabled: taxId !== null,
    placeholderData: undefined,
  });
}

/** Leads from one debt of a person to the others, and says what they come to. */
export function OtherDebtsPanel({
  others,
  isCompany,
}: {
  readonly others: readonly FoundDebt[];
  readonly isCompany: boolean;
}) {
  if (others.length === 0) return null;
  return (
    <Panel title={(isCompany ? DEBT.othersOfCompany : DEBT.othersOfPerson)(others.length)}>
      <p className={styles['muted']}>{DEBT.othersOpen(formatMoney(openOf(others)))}</p>
      <ul className={styles['others']}>
        {others.map(({ id, originalAmount, dueDate, invoiceId, campaignName, status }) => (
          <li key={id}>
            <Link to={`/dividas/${id}`}>{DEBT.other(formatMoney(originalAmount), formatPlainDate(dueDate))}</Link>
            <DebtStatusBadge status={status} />
            <bdi className={styles['where']}>{inWrittenOrder(invoiceId ?? campaignName)}</bdi>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
