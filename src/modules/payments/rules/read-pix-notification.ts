/** A payment of which a bank tells. Nothing of it is believed before the bank is asked. */
export interface ToldPayment {
  /** The charge that it paid; null for a payment without one. */
  readonly txid: string | null;
  readonly endToEndId: string;
  /** All that was told of it, by which a repetition is recognised. */
  readonly text: string;
}

export const MAX_TOLD_PAYMENTS = 1_000;
const TXID = /^[A-Za-z0-9]{1,35}$/;
const END_TO_END_ID = /^[A-Za-z0-9]{32}$/;

/**
 * Reads which payments a bank tells of: `{ pix: [ … ] }`, or the list alone, as some banks send it. What is no payment is
 * left out, because the reading of the account finds it all the same.
 */
export function readPixNotification(body: Uint8Array): readonly ToldPayment[] {
  return listOf(body)
    .slice(0, MAX_TOLD_PAYMENTS)
    .flatMap((one): ToldPayment[] => {
      if (typeof one !== 'object' || one === null) return [];
      const endToEndId: unknown = Reflect.get(one, 'endToEndId');
      const txid: unknown = Reflect.get(one, 'txid');
      if (typeof endToEndId !== 'string' || !END_TO_END_ID.test(endToEndId)) return [];
      const text = JSON.stringify(one);
      return [{ endToEndId, txid: typeof txid === 'string' && TXID.test(txid) ? txid : null, text }];
    });
}

function listOf(body: Uint8Array): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
    if (Array.isArray(parsed)) return parsed;
    const pix: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'pix') : undefined;
    return Array.isArray(pix) ? pix : [];
  } catch {
    return [];
  }
}
