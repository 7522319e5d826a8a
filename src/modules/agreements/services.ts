import type { SharedDeps } from '../deps.ts';
import { addStaffOffer, readOffers } from './use-cases/offers.ts';
import { changeOffersPolicy, readOffersPolicy } from './use-cases/offers-policy.ts';
import type { OfferDeps } from './use-cases/person-of-offers.ts';
import { listAgreementsOfClient, readAgreementOfClient } from './use-cases/read-agreements.ts';

/** The use cases of offers and agreements that a request of the API may call. */
export const createAgreementsServices = (deps: OfferDeps & Pick<SharedDeps, 'receiptLinks' | 'cursors'>) => ({
  addStaffOffer: addStaffOffer(deps),
  changeOffersPolicy: changeOffersPolicy(deps),
  listAgreementsOfClient: listAgreementsOfClient(deps),
  readAgreementOfClient: readAgreementOfClient(deps),
  readOffers: readOffers(deps),
  readOffersPolicy: readOffersPolicy(deps),
});
