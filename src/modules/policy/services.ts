import type { SharedDeps } from '../deps.ts';
import { readPolicy } from './use-cases/read-policy.ts';

/** The use cases of the policy that a request of the API may call. */
export const createPolicyServices = (deps: SharedDeps) => ({
  readPolicy: readPolicy(deps),
});
