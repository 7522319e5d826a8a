import type { HttpDeps } from '../../deps.ts';
import type { Route } from '../../guard.ts';
import { passwordRoutes } from './password.ts';
import { sessionRoutes } from './session.ts';

export const authRoutes = (deps: Pick<HttpDeps, 'services' | 'config'>): Route[] => [
  ...sessionRoutes(deps),
  ...passwordRoutes(deps),
];
