import { AppError } from '../../../kernel/errors.ts';
import { ReceiptRenderError } from '../ports/receipt-renderer.ts';
import type { DocumentData } from '../texts/document/agreement-data.ts';
import type { ReceiptDeps } from './deps.ts';

export interface DocumentFile {
  readonly pdf: Buffer;
  readonly sha256: string;
}

/** Draws a document for a request that waits for it. `name` says in an error which one cannot be drawn. */
export async function renderDocument(
  { renderer }: Pick<ReceiptDeps, 'renderer'>,
  name: string,
  data: DocumentData,
): Promise<DocumentFile> {
  try {
    const { bytes, sha256 } = await renderer.render(data);
    return { pdf: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), sha256 };
  } catch (error) {
    if (!(error instanceof ReceiptRenderError)) throw error;
    if (error.failure === 'bad_data') throw new Error(`${name} cannot be drawn: ${error.message}`);
    throw new AppError('unavailable', { detail: 'The document could not be drawn just now.', retryAfterSeconds: 5 });
  }
}
