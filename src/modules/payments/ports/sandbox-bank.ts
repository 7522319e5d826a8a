import type { ReversalKind } from '../../../kernel/reversal-kinds.ts';

/**
 * Simulates the debtor's bank for sandbox charges. The real webhook receives every change over HTTP, with a signature.
 */
export interface SandboxBank {
  /** Pays the requested amount, or another one to try an under- or overpayment. A second payment has no effect. */
  pay(providerPaymentId: string, options?: { readonly amountCentavos?: number }): Promise<void>;
  /** Refunds the full amount when `amountCentavos` is absent. */
  refund(providerPaymentId: string, amountCentavos?: number): Promise<void>;
  chargeBack(providerPaymentId: string): Promise<void>;
  /** Takes money back without the creditor, as the MED does; the full amount when `amountCentavos` is absent. */
  takeBack(
    providerPaymentId: string,
    kind: Exclude<ReversalKind, 'chargeback'>,
    amountCentavos?: number,
  ): Promise<void>;
  /** The dispute ended in favour of the creditor, who has the money again. */
  reverseChargeback(providerPaymentId: string): Promise<void>;
  /**
   * Repeats the notifications that the webhook has not confirmed, for instance after a crash; returns how many it
   * confirms.
   */
  deliverDue(): Promise<number>;
}
