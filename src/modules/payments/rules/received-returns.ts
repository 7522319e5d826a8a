import type { ProviderReversal } from './refunds.ts';

/** A payment as the bank that received it tells of it. */
interface Received {
  readonly amountCentavos: number;
  /** What has gone back of it. */
  readonly returnedCentavos: number;
}

/** Returns what the creditor still has of a received payment. */
export const leftOfReceived = ({ amountCentavos, returnedCentavos }: Received): number =>
  Math.max(0, amountCentavos - returnedCentavos);

/**
 * Returns what has gone back of so much of a received payment. Less than the whole was recorded where a part had gone back
 * before.
 */
export const goneBackOf = (recordedCentavos: number, received: Received): number =>
  Math.max(0, Math.min(received.returnedCentavos, recordedCentavos - leftOfReceived(received)));

/** Returns the returns of what was recorded of a payment, without the earliest ones, which had gone back before. */
export function returnsOfRecorded(
  recordedCentavos: number,
  { amountCentavos, reversals }: { readonly amountCentavos: number; readonly reversals: readonly ProviderReversal[] },
): ProviderReversal[] {
  let goneBefore = amountCentavos - recordedCentavos;
  return reversals
    .toSorted((one, other) => (one.at?.getTime() ?? 0) - (other.at?.getTime() ?? 0))
    .filter((reversal) => {
      if (reversal.state !== 'done' || reversal.amountCentavos > goneBefore) return true;
      goneBefore -= reversal.amountCentavos;
      return false;
    });
}
