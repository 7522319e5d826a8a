import type { SharedDeps } from '../deps.ts';
import { loadBureauTerms } from './use-cases/load-bureau-terms.ts';
import { recordListing, recordRemoval } from './use-cases/record-listing.ts';
import { reportListings } from './use-cases/report-listings.ts';

/** The use cases of listings at bureaus that a request of the API may call. */
export const createBureausServices = (shared: SharedDeps) => {
  const deps = { ...shared, bureauTerms: loadBureauTerms() };
  return {
    recordListing: recordListing(deps),
    recordRemoval: recordRemoval(deps),
    reportListings: reportListings(deps),
  };
};
