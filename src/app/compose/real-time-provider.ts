import type { PaymentProvider, ProviderCharge } from '../../modules/payments/ports/payment-provider.ts';

/**
 * A provider lives in real time while `CLOCK_OFFSET` shifts the service: moments that go to the provider are moved to
 * real time, and its moments to the clock of the service. Without this it would refuse the end of a charge as past.
 */
export function inRealTime(provider: PaymentProvider, offsetMs: number): PaymentProvider {
  if (offsetMs === 0) return provider;
  const shifted = <Moment extends Date | null>(moment: Moment): Moment =>
    (moment === null ? null : new Date(moment.getTime() + offsetMs)) as Moment;
  const shiftedCharge = (charge: ProviderCharge): ProviderCharge => ({
    ...charge,
    paidAt: shifted(charge.paidAt),
    expiresAt: shifted(charge.expiresAt),
    updatedAt: shifted(charge.updatedAt),
  });
  return {
    ...provider,
    createCharge: async (input) => {
      const created = await provider.createCharge({
        ...input,
        expiresAt: new Date(input.expiresAt.getTime() - offsetMs),
      });
      return { ...created, expiresAt: shifted(created.expiresAt) };
    },
    getCharge: async (id, credentials) => shiftedCharge(await provider.getCharge(id, credentials)),
    cancelCharge: async (id, credentials) => shiftedCharge(await provider.cancelCharge(id, credentials)),
    searchByExternalReference: async (reference, credentials) =>
      (await provider.searchByExternalReference(reference, credentials)).map(shiftedCharge),
  };
}
