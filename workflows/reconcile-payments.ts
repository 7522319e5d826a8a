import { reconcileCharges } from './proxies.ts';

/** On a schedule: a notification that got lost, or a provider that was down, costs minutes and no payment. */
export async function reconcilePayments(): Promise<{ asked: number; news: number }> {
  return reconcileCharges();
}
