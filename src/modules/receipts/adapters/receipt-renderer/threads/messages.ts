import type { DocumentData } from '../../../texts/document/agreement-data.ts';

/** Sent to a thread, which receives the next request only after its answer. */
export interface DrawRequest {
  readonly data: DocumentData;
}

export type DrawResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string }
  | { readonly ok: false; readonly message: string };
