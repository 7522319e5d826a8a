import type { SharedDeps } from '../deps.ts';
import type { AcceptDeps } from './use-cases/accept-offer.ts';
import { addStaffOffer, readOffers } from './use-cases/offers.ts';
import { changeOffersPolicy, readOffersPolicy } from './use-cases/offers-policy.ts';
import { previewOffers } from './use-cases/preview-offers.ts';
import { listAgreementsOfClient, readAgreementOfClient } from './use-cases/read-agreements.ts';
import { recordAcceptance } from './use-cases/record-acceptance.ts';

/** The use cases of offers and agreements that a request of the API may call. */
export const createAgreementsServices = (deps: AcceptDeps & Pick<SharedDeps, 'receiptLinks' | 'cursors'>) => ({
  addStaffOffer: addStaffOffer(deps),
  changeOffersPolicy: changeOffersPolicy(deps),
  listAgreementsOfClient: listAgreementsOfClient(deps),
  previewOffers: previewOffers(deps),
  readAgreementOfClient: readAgreementOfClient(deps),
  readOffers: readOffers(deps),
  readOffersPolicy: readOffersPolicy(deps),
  recordAcceptance: recordAcceptance(deps),
});
