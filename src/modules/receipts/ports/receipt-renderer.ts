/** Draws receipts and agreements outside the main thread. `Data` is the plain record from which the document is made. */
export interface ReceiptRenderer<Data> {
  /**
   * Rejects with `ReceiptRenderError` when this one document cannot be drawn, and with `AppError('unavailable')` when
   * too many are waiting or the renderer is closed. Other documents are not affected.
   */
  render(data: Data): Promise<RenderedReceipt>;
  /** Finishes the accepted documents and accepts no more. */
  close(): Promise<void>;
}

export interface RenderedReceipt {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The hash of `bytes` in hexadecimal. */
  readonly sha256: string;
}

export type RenderFailure = 'bad_data' | 'crashed' | 'timed_out';

/** The message never contains data of the document. */
export class ReceiptRenderError extends Error {
  readonly failure: RenderFailure;

  constructor(failure: RenderFailure, message: string) {
    super(message);
    this.name = 'ReceiptRenderError';
    this.failure = failure;
  }
}
