import type { Agreement, Offer } from '../api/client.ts';
import { formatMoney, formatPlainDate } from '../format.ts';

type Due = Pick<Offer['instalments'][number], 'dueDate' | 'amount'>;

/**
 * A plan as people say it: `4 × R$ 200,00`, or with an entry and a last instalment that differ from the others. The entry
 * is the first; of equal instalments the last takes the rest of the division.
 */
export function planText(instalments: readonly Due[]): string {
  const [first, second] = instalments;
  const last = instalments.at(-1);
  if (first === undefined || last === undefined) return '';
  if (second === undefined) return 'à vista';
  const rest = instalments.slice(1, -1);
  const others = rest[0]?.amount ?? last.amount;
  const hasEntry = rest.length > 0 ? first.amount !== others : false;
  if (instalments.length === 2 && first.amount !== last.amount) {
    return `${formatMoney(first.amount)} e depois ${formatMoney(last.amount)}`;
  }
  const equal = instalments.length - (hasEntry ? 1 : 0) - (last.amount === others ? 0 : 1);
  return [
    ...(hasEntry ? [`entrada de ${formatMoney(first.amount)}`] : []),
    `${equal} × ${formatMoney(others)}`,
    ...(last.amount === others ? [] : [`a última de ${formatMoney(last.amount)}`]),
  ].join(' + ');
}

/** From when to when a plan is paid. */
export function planDays(instalments: readonly Due[]): string {
  const days = instalments.map(({ dueDate }) => formatPlainDate(dueDate));
  return days.length === 1 ? `pagar até ${days[0]}` : `parcelas de ${days[0]} a ${days.at(-1)}`;
}

/** What is still to be paid of an agreement. */
export const openOf = ({ total, paid, status }: Pick<Agreement, 'total' | 'paid' | 'status'>): number =>
  status === 'COMPLETED' ? 0 : Math.max(0, Math.round((total - paid) * 100) / 100);

/** The instalment that is to be paid next; none when the agreement has ended. */
export const nextInstalment = ({ status, instalments }: Pick<Agreement, 'status' | 'instalments'>) =>
  status === 'ACTIVE' ? instalments.find((one) => one.status === 'PENDING' || one.status === 'LATE') : undefined;
