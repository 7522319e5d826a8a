import { corporateEmailProblem, type EmailProblem } from '../rules/corporate-email.ts';
import type { AccountDeps } from './deps.ts';

export const checkCorporateEmail =
  ({ isPersonalDomain }: Pick<AccountDeps, 'isPersonalDomain'>) =>
  (email: string): EmailProblem | null =>
    corporateEmailProblem(email, isPersonalDomain);
