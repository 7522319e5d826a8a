import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { type MaskedDebtor, maskedDebtor } from '../../../kernel/tax-id.ts';
import { readAgreement, type StoredAgreement } from '../../agreements/queries/agreements.ts';
import { dayOfAgreement, statesOf } from '../../agreements/use-cases/read-agreements.ts';
import { rightsUrlOfDebt } from '../../debts/use-cases/rights-link.ts';
import { partiesOfAgreement } from '../queries/agreement-documents.ts';
import type { ReceiptFacts } from '../tables/receipt.ts';
import type { AgreementSituation } from '../texts/verify-agreement.ts';
import { creditorOf } from './creditor.ts';
import type { ReceiptDeps } from './deps.ts';
import { openSignedAgreement } from './download-agreement.ts';
import type { SignedRequest } from './open-signed-receipt.ts';

export interface VerifiedAgreement {
  readonly protocol: string;
  readonly sandbox: boolean;
  readonly situation: AgreementSituation;
  readonly creditor: ReceiptFacts['creditor'];
  /** Null once the debtor is erased; then nothing can be downloaded. */
  readonly debtor: MaskedDebtor | null;
  readonly totalCentavos: number;
  readonly instalments: number;
  readonly acceptedAt: Date;
  /** Null until the document is downloaded for the first time. */
  readonly sha256: string | null;
  readonly utcOffset: number;
  readonly downloadUrl: string;
  readonly rightsUrl: string | null;
}

/**
 * An agreement that is late is still in force, and whoever holds its address learns no more than that. Why it ended is
 * between the two parties.
 */
function situationOf(agreement: StoredAgreement, realNow: number): AgreementSituation {
  if (agreement.status === 'COMPLETED') return 'kept';
  if (agreement.status !== 'ACTIVE') return 'ended';
  const states = statesOf(agreement, dayOfAgreement(agreement, realNow));
  return states.some(({ status }) => status === 'LATE') ? 'in_force' : 'on_time';
}

/** Returns what the public verification page says of an agreement. The page masks personal data. */
export const verifyAgreement =
  (deps: Pick<ReceiptDeps, 'db' | 'now' | 'receiptLinks' | 'publicUrl'>) =>
  async (request: SignedRequest): Promise<VerifiedAgreement> => {
    const { id, clientId } = await openSignedAgreement(deps, request);
    const { agreement, parties } = await deps.db.tenant(clientId).transactional(async (tx) => ({
      agreement: await readAgreement(tx, id),
      parties: await partiesOfAgreement(tx, id),
    }));
    if (agreement === undefined) throw new Error('An agreement has gone while it was read.');
    const { protocol } = request;
    return {
      protocol,
      sandbox: parties.sandbox,
      situation: situationOf(agreement, deps.now().getTime()),
      creditor: creditorOf(parties),
      debtor: parties.isErased ? null : maskedDebtor(parties.debtorName, parties.debtorTaxId),
      totalCentavos: parties.totalCentavos,
      instalments: agreement.instalments.length,
      acceptedAt: parties.acceptedAt,
      sha256: parties.sha256,
      utcOffset: displayOffset(areaCodeOf(parties.debtorPhone)),
      downloadUrl: deps.receiptLinks.downloadUrl(protocol),
      rightsUrl: parties.isErased ? null : await rightsUrlOfDebt(deps, { clientId, debtId: parties.debtId }),
    };
  };
