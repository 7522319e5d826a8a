import type { CorrectDebtBody, GetDebtResult } from '../../api/client.ts';
import { parseReais } from '../../reais.ts';

/** The members that the form has changed. An amount that cannot be read is sent as it is, for the server to refuse. */
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
