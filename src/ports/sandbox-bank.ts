/** Plays the debtor's bank for sandbox charges; every change is told to the real webhook, signed, over HTTP. */
export interface SandboxBank {
  /** Pays the asked amount, or another one to try an under- or overpayment. Paying twice is once. */
  pay(providerPaymentId: string, options?: { readonly amountCentavos?: number }): Promise<void>;
  /** In full unless told otherwise. */
  refund(providerPaymentId: string, amountCentavos?: number): Promise<void>;
  chargeBack(providerPaymentId: string): Promise<void>;
  /** Sends again what the webhook has not confirmed yet, after a crash for instance; returns how many it confirmed. */
  deliverDue(): Promise<number>;
}
