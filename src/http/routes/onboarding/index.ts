import type { HttpDeps } from '../../deps.ts';
import type { Route } from '../../guard.ts';
import { apiKeyRoutes } from './api-key.ts';
import { confirmationRoutes } from './confirmation.ts';
import { meRoutes } from './me.ts';
import { passwordRoute } from './password.ts';
import { signUpRoute } from './signup.ts';

export const onboardingRoutes = (deps: Pick<HttpDeps, 'services'>): Route[] => [
  signUpRoute(deps),
  ...meRoutes(deps),
  passwordRoute(deps),
  ...apiKeyRoutes(deps),
  ...confirmationRoutes(deps),
];
