import { authenticate } from './authenticate.ts';
import { changeAccount } from './change-account.ts';
import { checkCorporateEmail } from './check-corporate-email.ts';
import { createApiKey } from './create-api-key.ts';
import type { ServiceDeps } from './deps.ts';
import { forgetPassword } from './forget-password.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { readAccount } from './read-account.ts';
import { refreshSession } from './refresh-session.ts';
import { resetPassword } from './reset-password.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { signUp } from './sign-up.ts';

/** Everything a request can ask for, one use case a line. */
export const createServices = (deps: ServiceDeps) => ({
  authenticate: authenticate(deps),
  changeAccount: changeAccount(deps),
  checkCorporateEmail: checkCorporateEmail(deps),
  createApiKey: createApiKey(deps),
  forgetPassword: forgetPassword(deps),
  logIn: logIn(deps),
  logOut: logOut(deps),
  readAccount: readAccount(deps),
  refreshSession: refreshSession(deps),
  resetPassword: resetPassword(deps),
  revokeApiKey: revokeApiKey(deps),
  signUp: signUp(deps),
});

export type Services = ReturnType<typeof createServices>;
