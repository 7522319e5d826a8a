import type { ReceiptData } from '../../../documents/receipt/receipt-data.ts';

/** To a thread; it gets the next one only after its answer. */
export interface Order {
  readonly data: ReceiptData;
}

export type Answer =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string }
  | { readonly ok: false; readonly message: string };
