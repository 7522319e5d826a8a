import type { Route } from '../../define-route.ts';
import type { HttpDeps } from '../../deps.ts';
import { passwordRoutes } from './forgotten-password.ts';
import { sessionRoutes } from './session.ts';

export const authRoutes = (deps: Pick<HttpDeps, 'services' | 'config'>): Route[] => [
  ...sessionRoutes(deps),
  ...passwordRoutes(deps),
];
