import { AppError } from '../../../kernel/errors.ts';
import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import { rightsUrlOfDebt } from '../../debts/use-cases/rights-link.ts';
import {
  QUITTANCE_BY_PROTOCOL,
  type QuittanceDocument,
  quittanceDocument,
  storeQuittanceDocument,
} from '../queries/annual-quittances.ts';
import type { QuittanceFacts } from '../tables/annual-quittance.ts';
import { QUITTANCE_TEMPLATE_VERSION, type QuittanceData } from '../texts/document/quittance-data.ts';
import type { ReceiptDeps } from './deps.ts';
import { openSignedDocument } from './open-signed-document.ts';
import type { SignedRequest } from './open-signed-receipt.ts';
import { type DocumentFile, renderDocument } from './render-document.ts';

type Deps = Pick<ReceiptDeps, 'db' | 'receiptLinks' | 'renderer'>;

const SHORTENED =
  'The document of this declaration is no longer kept: its debtor had it erased. The verification page still confirms the protocol.';

const openSigned = (deps: Deps, request: SignedRequest) =>
  openSignedDocument(deps, request, { kind: 'QA', query: QUITTANCE_BY_PROTOCOL });

/**
 * Returns the document of a declaration, which is drawn at its first reading and stored, and once more after a revocation;
 * null once it is shortened. Of two that are drawn at once the first that is stored is the document.
 */
export async function quittanceFile(
  deps: Deps,
  { id, clientId }: { readonly id: string; readonly clientId: string },
): Promise<DocumentFile | null> {
  const db = deps.db.tenant(clientId);
  let row = await db.transactional((tx) => quittanceDocument(tx, id));
  if (row.shortenedAt !== null) return null;
  if (row.pdf === null) {
    const data = dataOf(deps, row);
    if (data === null) return null;
    const file = await renderDocument(deps, 'An annual quittance', data);
    row = await db.transactional(async (tx) => {
      await storeQuittanceDocument(tx, row, file);
      return quittanceDocument(tx, id);
    });
  }
  const { pdf, sha256 } = row;
  if (row.shortenedAt !== null) return null;
  if (pdf !== null && sha256 !== null) return { pdf, sha256 };
  // It was revoked while it was drawn.
  throw new AppError('unavailable', { detail: 'The document is being drawn.', retryAfterSeconds: 1 });
}

export const downloadAnnualQuittance =
  (deps: Deps) =>
  async (request: SignedRequest): Promise<DocumentFile> => {
    const file = await quittanceFile(deps, await openSigned(deps, request));
    if (file === null) throw new AppError('not_found', { detail: SHORTENED });
    return file;
  };

export interface VerifiedQuittance {
  readonly protocol: string;
  readonly year: number;
  readonly sandbox: boolean;
  readonly issuedAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedReason: RevokedReason | null;
  readonly facts: QuittanceFacts;
  /** Null once the debtor's data is gone; then nothing can be downloaded. */
  readonly sha256: string | null;
  readonly downloadUrl: string;
  readonly rightsUrl: string | null;
}

/** Returns what the public verification page says of a declaration. The page masks personal data. */
export const verifyAnnualQuittance =
  (deps: Deps & Pick<ReceiptDeps, 'publicUrl'>) =>
  async (request: SignedRequest): Promise<VerifiedQuittance> => {
    const { id, clientId } = await openSigned(deps, request);
    const file = await quittanceFile(deps, { id, clientId });
    const row = await deps.db.tenant(clientId).transactional((tx) => quittanceDocument(tx, id));
    const { protocol, year, sandbox, issuedAt, revokedAt, revokedReason, facts, debtId } = row;
    return {
      ...{ protocol, year, sandbox, issuedAt, revokedAt, revokedReason, facts },
      sha256: file?.sha256 ?? null,
      downloadUrl: deps.receiptLinks.downloadUrl(protocol),
      rightsUrl: await rightsUrlOfDebt(deps, { clientId, debtId }),
    };
  };

function dataOf({ receiptLinks }: Deps, row: QuittanceDocument): QuittanceData | null {
  const { facts, protocol } = row;
  if (facts.debtor === undefined) return null;
  return {
    kind: 'annual-quittance',
    templateVersion: QUITTANCE_TEMPLATE_VERSION,
    protocol,
    issuedAt: row.issuedAt,
    sandbox: row.sandbox,
    creditor: facts.creditor,
    debtor: facts.debtor,
    verifyUrl: receiptLinks.verifyUrl(protocol),
    utcOffset: facts.utcOffset,
    year: row.year,
    bills: facts.bills.map(({ invoiceId = null, description = null, ...bill }) => ({
      ...bill,
      invoiceId,
      description,
    })),
    earlierOwed: facts.earlierOwed.map(({ invoiceId = null, dueDate }) => ({ invoiceId, dueDate })),
    revokedAt: row.revokedAt,
    revokedReason: row.revokedReason,
  };
}
