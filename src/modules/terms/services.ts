import type { SharedDeps } from '../deps.ts';
import { addTerms, readTerms } from './use-cases/late-payment-terms.ts';

/** The use cases of the terms of late payment that a request of the API may call. */
export const createTermsServices = (deps: SharedDeps) => ({
  addTerms: addTerms(deps),
  readTerms: readTerms(deps),
});
