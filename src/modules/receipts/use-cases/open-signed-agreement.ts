import { AppError } from '../../../kernel/errors.ts';
import { kindOfProtocol } from '../../../kernel/protocol.ts';
import { AGREEMENT_BY_PROTOCOL } from '../queries/agreement-documents.ts';
import type { ReceiptDeps } from './deps.ts';
import type { SignedRequest } from './open-signed-receipt.ts';

interface SignedAgreement {
  readonly id: string;
  readonly clientId: string;
}

/** Verifies the signature of an agreement's link before anything is looked up. */
export async function openSignedAgreement(
  { db, receiptLinks }: Pick<ReceiptDeps, 'db' | 'receiptLinks'>,
  { protocol, signature }: SignedRequest,
): Promise<SignedAgreement> {
  if (!receiptLinks.isSigned(protocol, signature)) throw new AppError('signature_invalid');
  if (kindOfProtocol(protocol) !== 'AC') throw new AppError('not_found');
  const [row] = await db.readPrepared({ receiptProtocol: protocol }, AGREEMENT_BY_PROTOCOL, { protocol });
  if (row === undefined) throw new AppError('not_found');
  return row;
}
