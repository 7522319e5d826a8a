import { AppError } from '../../../kernel/errors.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { maskedDebtor } from '../../../kernel/tax-id.ts';
import {
  AGREEMENT_BY_PROTOCOL,
  type AgreementDocument,
  agreementDocument,
  storeAgreementDocument,
} from '../queries/agreement-documents.ts';
import { AGREEMENT_TEMPLATE_VERSION, type AgreementData } from '../texts/document/agreement-data.ts';
import { creditorOf } from './creditor.ts';
import type { ReceiptDeps } from './deps.ts';
import { openSignedDocument } from './open-signed-document.ts';
import type { SignedRequest } from './open-signed-receipt.ts';
import { type DocumentFile, renderDocument } from './render-document.ts';

type Deps = Pick<ReceiptDeps, 'db' | 'receiptLinks' | 'renderer'>;

export interface AgreementFile extends DocumentFile {
  readonly protocol: string;
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
): Promise<DocumentFile | null> {
  const db = deps.db.tenant(clientId);
  const found = await db.transactional((tx) => agreementDocument(tx, id));
  if (found.isErased) return null;
  const stored = found.pdf === null ? await drawn(found) : found;
  if (stored.isErased || stored.pdf === null || stored.sha256 === null) return null;
  return { pdf: stored.pdf, sha256: stored.sha256 };

  async function drawn(document: AgreementDocument): Promise<AgreementDocument> {
    const file = await renderDocument(deps, 'An agreement', dataOf(deps, document));
    return db.transactional(async (tx) => {
      await storeAgreementDocument(tx, id, file);
      return agreementDocument(tx, id);
    });
  }
}

export const openSignedAgreement = (deps: Pick<Deps, 'db' | 'receiptLinks'>, request: SignedRequest) =>
  openSignedDocument(deps, request, { kind: 'AC', query: AGREEMENT_BY_PROTOCOL });

export const downloadAgreement =
  (deps: Deps) =>
  async (request: SignedRequest): Promise<AgreementFile> => {
    const file = await agreementFile(deps, await openSignedAgreement(deps, request));
    if (file === null) throw new AppError('not_found', { detail: ERASED });
    return { protocol: request.protocol, ...file };
  };

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
