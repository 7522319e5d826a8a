import type { Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { passwordRoutes } from './forgotten-password.ts';
import { sessionRoutes } from './session.ts';

export const authRoutes = (deps: Pick<HttpDeps, 'services' | 'config'>): Route[] => [
  ...sessionRoutes(deps),
  ...passwordRoutes(deps),
];
