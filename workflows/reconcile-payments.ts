import { reconcileCharges } from './proxies.ts';

/**
 * Runs on a schedule, so that a lost notification or a provider that was down delays a payment by minutes but loses
 * none.
 */
export async function reconcilePayments(): Promise<{ asked: number; changed: number }> {
  return reconcileCharges();
}
