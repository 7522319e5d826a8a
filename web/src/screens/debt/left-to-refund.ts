import type { DebtPayment } from '../../api/client.ts';

const centavos = (reais: number): number => Math.round(reais * 100);

/** How much of a payment its provider can still give back, in reais; 0 for money that came by no provider. */
export function leftOf({ provider, paid, refunded, chargedBack, refunds }: DebtPayment): number {
  if (provider === 'outside' || provider === 'agreement' || chargedBack) return 0;
  const underWay = refunds.filter(({ state }) => state === 'pending');
  const held = underWay.reduce((sum, { amount }) => sum + centavos(amount), 0);
  return Math.max(0, centavos(paid) - centavos(refunded) - held) / 100;
}
