import type { Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { apiKeyRoutes } from './api-key.ts';
import { passwordRoute } from './change-password.ts';
import { confirmationRoutes } from './confirmation.ts';
import { meRoutes } from './me.ts';
import { signUpRoute } from './signup.ts';

export const onboardingRoutes = (deps: Pick<HttpDeps, 'services'>): Route[] => [
  signUpRoute(deps),
  ...meRoutes(deps),
  passwordRoute(deps),
  ...apiKeyRoutes(deps),
  ...confirmationRoutes(deps),
];
