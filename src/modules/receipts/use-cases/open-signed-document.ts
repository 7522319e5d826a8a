import { AppError } from '../../../kernel/errors.ts';
import { type DocumentKind, kindOfProtocol } from '../../../kernel/protocol.ts';
import type { PreparedQuery } from '../../../platform/database/queries/builder.ts';
import type { ReceiptDeps } from './deps.ts';
import type { SignedRequest } from './open-signed-receipt.ts';

/** Verifies the signature of a document's link before anything is looked up, and reads by `query` whose it is. */
export async function openSignedDocument<Row extends object>(
  { db, receiptLinks }: Pick<ReceiptDeps, 'db' | 'receiptLinks'>,
  { protocol, signature }: SignedRequest,
  { kind, query }: { readonly kind: DocumentKind; readonly query: PreparedQuery<{ readonly protocol: string }, Row> },
): Promise<Row> {
  if (!receiptLinks.isSigned(kind, protocol, signature)) throw new AppError('signature_invalid');
  if (kindOfProtocol(protocol) !== kind) throw new AppError('not_found');
  const [row] = await db.readPrepared({ receiptProtocol: protocol }, query, { protocol });
  if (row === undefined) throw new AppError('not_found');
  return row;
}
