import { AppError } from '../../../kernel/errors.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { maskedDebtor } from '../../../kernel/tax-id.ts';
import { ReceiptRenderError, type RenderedReceipt } from '../ports/receipt-renderer.ts';
import { type AgreementDocument, agreementDocument, storeAgreementDocument } from '../queries/agreement-documents.ts';
import { AGREEMENT_TEMPLATE_VERSION, type AgreementData } from '../texts/document/agreement-data.ts';
import { creditorOf } from './creditor.ts';
import type { ReceiptDeps } from './deps.ts';
import { openSignedAgreement } from './open-signed-agreement.ts';
import type { SignedRequest } from './open-signed-receipt.ts';

type Deps = Pick<ReceiptDeps, 'db' | 'receiptLinks' | 'renderer'>;

export interface AgreementFile {
  readonly protocol: string;
  readonly pdf: Buffer;
  readonly sha256: string;
}

const ERASED =
  'The document of this agreement is no longer kept: its debtor had it erased. The verification page still confirms the protocol.';

/**
 * Returns the Termo de Acordo, which is drawn at its first reading and stored; null when its debtor was erased. Of two
 * that are drawn at once the first that is stored is the document.
 */
export async function agreementFile(
  deps: Deps,
  { id, clientId }: { readonly id: string; readonly clientId: string },
): Promise<Omit<AgreementFile, 'protocol'> | null> {
  const db = deps.db.tenant(clientId);
  const found = await db.transactional((tx) => agreementDocument(tx, id));
  if (found.isErased) return null;
  const stored = found.pdf === null ? await drawn(found) : found;
  if (stored.isErased || stored.pdf === null || stored.sha256 === null) return null;
  return { pdf: stored.pdf, sha256: stored.sha256 };

  async function drawn(document: AgreementDocument): Promise<AgreementDocument> {
    const { bytes, sha256 } = await render(deps, dataOf(deps, document));
    const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return db.transactional(async (tx) => {
      await storeAgreementDocument(tx, id, { pdf, sha256 });
      return agreementDocument(tx, id);
    });
  }
}

export const downloadAgreement =
  (deps: Deps) =>
  async (request: SignedRequest): Promise<AgreementFile> => {
    const file = await agreementFile(deps, await openSignedAgreement(deps, request));
    if (file === null) throw new AppError('not_found', { detail: ERASED });
    return { protocol: request.protocol, ...file };
  };

async function render({ renderer }: Deps, data: AgreementData): Promise<RenderedReceipt> {
  try {
    return await renderer.render(data);
  } catch (error) {
    if (!(error instanceof ReceiptRenderError)) throw error;
    if (error.failure === 'bad_data') throw new Error(`An agreement cannot be drawn: ${error.message}`);
    throw new AppError('unavailable', { detail: 'The document could not be drawn just now.', retryAfterSeconds: 5 });
  }
}

/** The moment of the acceptance is that of the document, so that it is the same whenever it is drawn. */
function dataOf({ receiptLinks }: Deps, row: AgreementDocument): AgreementData {
  const { protocol, acceptedAt } = row;
  return {
    kind: 'agreement',
    templateVersion: AGREEMENT_TEMPLATE_VERSION,
    agreementId: row.id,
    protocol,
    issuedAt: acceptedAt,
    sandbox: row.sandbox,
    creditor: creditorOf(row),
    debtor: maskedDebtor(row.debtorName, row.debtorTaxId),
    offeredOn: row.madeOn,
    totalCentavos: row.totalCentavos,
    discountCentavos: row.discountCentavos,
    debts: row.debts.map(({ debtId, ...debt }) => {
      const then = row.offered.find((one) => one.debtId === debtId);
      return {
        ...debt,
        originalAmountCentavos: then?.originalCentavos ?? debt.originalAmountCentavos,
        dueDate: then?.dueDate ?? debt.dueDate,
      };
    }),
    instalments: row.instalments,
    breachAfterDays: row.breachAfterDays,
    afterBreach: row.afterBreach,
    accepted: {
      at: acceptedAt,
      by: row.acceptedBy,
      phone: row.acceptedPhone,
      text: row.acceptedText,
      textHash: row.acceptedTextHash,
    },
    verifyUrl: receiptLinks.verifyUrl(protocol),
    utcOffset: displayOffset(areaCodeOf(row.debtorPhone)),
  };
}
