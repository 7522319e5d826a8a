import { addStaffOffer, readOffers } from './use-cases/offers.ts';
import { changeOffersPolicy, readOffersPolicy } from './use-cases/offers-policy.ts';
import type { OfferDeps } from './use-cases/person-of-offers.ts';

/** The use cases of offers that a request of the API may call. */
export const createAgreementsServices = (deps: OfferDeps) => ({
  addStaffOffer: addStaffOffer(deps),
  changeOffersPolicy: changeOffersPolicy(deps),
  readOffers: readOffers(deps),
  readOffersPolicy: readOffersPolicy(deps),
});
