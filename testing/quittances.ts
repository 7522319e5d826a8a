import { createHmac } from 'node:crypto';
import type { App } from './app.ts';
import { type GivenPayment, type PaidDebt, paidDebt } from './receipts-harness.ts';

type Query = Pick<App, 'query'>['query'];

/** Signs links of annual quittances with the secret of the test apps. */
export const quittanceSignature = (protocol: string, secret = 'receipt_secret-of-the-tests'): string =>
  createHmac('sha256', secret).update(`annual-quittance:${protocol}`).digest('base64url');

/** Creates a paid bill of a person, unless `given` says otherwise, that is due on this day. */
export async function billOf(
  query: Query,
  clientId: string,
  { dueDate, invoiceId, ...given }: GivenPayment & { readonly dueDate: string; readonly invoiceId?: string },
): Promise<PaidDebt> {
  const made = await paidDebt(query, clientId, { sandbox: false, ...given });
  await query('update debts set due_date = $2, invoice_id = coalesce($3, invoice_id) where id = $1', [
    made.debtId,
    dueDate,
    invoiceId ?? null,
  ]);
  return made;
}
