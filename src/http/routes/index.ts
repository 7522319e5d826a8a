import type { HttpDeps } from '../deps.ts';
import type { Route } from '../guard.ts';
import { healthRoutes } from './health.ts';
import { metricsRoutes } from './metrics.ts';

/** Every route of the service, one line for each resource (`/openapi.json` and the pages on it come with the app). */
export function allRoutes(deps: HttpDeps): readonly Route[] {
  return [...healthRoutes(deps), ...metricsRoutes(deps)];
}
