/** Draws receipts off the main thread. `Data` is the plain record that the document is made from. */
export interface ReceiptRenderer<Data> {
  /**
   * Rejects with `ReceiptRenderError` when this one document cannot be drawn, and with `AppError('unavailable')` when
   * too many are waiting or the renderer is closed. Other documents go on.
   */
  render(data: Data): Promise<RenderedReceipt>;
  /** Lets what was taken finish, and takes nothing more. */
  close(): Promise<void>;
}

export interface RenderedReceipt {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Hexadecimal, of `bytes`. */
  readonly sha256: string;
}

export type RenderFailure = 'bad_data' | 'crashed' | 'timed_out';

/** The message never holds what the document says. */
export class ReceiptRenderError extends Error {
  readonly failure: RenderFailure;

  constructor(failure: RenderFailure, message: string) {
    super(message);
    this.name = 'ReceiptRenderError';
    this.failure = failure;
  }
}
