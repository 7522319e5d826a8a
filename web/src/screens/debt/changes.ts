import type { CorrectDebtBody, GetDebtResult, TimelineEntry } from '../../api/client.ts';
import { parseReais } from '../../reais.ts';
import { DEBT } from '../../texts/debt.ts';

/** The members that the form has changed. An amount that cannot be read is sent as zero, for the server to refuse. */
export function correctionOf(debt: GetDebtResult, read: (name: string) => string): CorrectDebtBody {
  const phone = read('debtorPhone');
  const email = read('debtorEmail');
  const dueDate = read('dueDate');
  const amount = parseReais(read('originalAmount')) ?? 0;
  return {
    ...(phone !== '' && digits(phone) !== digits(debt.debtorPhone) && { debtorPhone: phone }),
    ...(email !== (debt.debtorEmail ?? '') && { debtorEmail: email === '' ? null : email }),
    ...(dueDate !== debt.dueDate && { dueDate }),
    ...(amount !== debt.originalAmount && { originalAmount: amount }),
  };
}

/** The number without its country, however it is written. */
const digits = (phone: string): string => phone.replaceAll(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '');

const isPayment = (entry: TimelineEntry): boolean =>
  entry.kind === 'payment_approved' ||
  entry.kind === 'payment_duplicate' ||
  (entry.kind === 'payment_changed' && entry.amount !== undefined);

/** The person was erased on request; only the money is left. */
export const isErased = (debt: Pick<GetDebtResult, 'debtorCpf' | 'debtorCnpj'>): boolean =>
  (debt.debtorCpf ?? '') === '' && (debt.debtorCnpj ?? '') === '';

/** Why the data of a debt can no longer be corrected; undefined while they can. */
export function whyNotCorrect(debt: GetDebtResult): string | undefined {
  if (isErased(debt)) return DEBT.correctErased;
  if (debt.status === 'STOPPED') return DEBT.correctStopped;
  if (debt.status === 'AGREEMENT') return DEBT.cancelFirst;
  return debt.status === 'PAID' || debt.timeline.some(isPayment) ? DEBT.correctPaid : undefined;
}
