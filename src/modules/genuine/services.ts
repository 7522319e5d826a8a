import { checkContent, type GenuineDeps } from './use-cases/check-content.ts';

/** The use cases of "É verdade?" that a request of the API may call. */
export const createGenuineServices = (deps: GenuineDeps) => ({
  checkContent: checkContent(deps),
});
