import { corporateEmailProblem, type EmailProblem } from '../../domain/corporate-email.ts';
import type { ServiceDeps } from '../deps.ts';

export const checkCorporateEmail =
  ({ isPersonalDomain }: Pick<ServiceDeps, 'isPersonalDomain'>) =>
  (email: string): EmailProblem | null =>
    corporateEmailProblem(email, isPersonalDomain);
