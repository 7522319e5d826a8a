import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { UNCONFIRMED_ACCOUNT_DAYS } from '../../../kernel/retention-periods.ts';
import { addAudit } from '../queries/add-audit.ts';
import { insertUnconfirmedClient, isSignUpClosed } from '../queries/clients.ts';
import { insertMember } from '../queries/members.ts';
import { PLAN, TRIAL_DAYS } from '../rules/pricing-plan.ts';
import { type ClientSummary, summaryOf } from './account.ts';
import { askForMail } from './ask-for-mail.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { openShortSession } from './open-session.ts';

export interface SignUpInput {
  readonly name: string;
  /** Normalised and corporate. */
  readonly email: string;
  readonly password: string;
  /** Normalised. */
  readonly cnpj: string | null;
  readonly segment: string | null;
  readonly origin: Origin;
}

/** Opens an account. The address of the sign-up is the company's, and that of its first owner. */
export const signUp =
  (deps: Pick<AccountDeps, 'db' | 'passwords' | 'accessTokens' | 'workflows' | 'singleClient'>) =>
  async (input: SignUpInput): Promise<ClientSummary & { token: string }> => {
    const { name, email, cnpj, segment, origin } = input;
    const passwordHash = await deps.passwords.hash(input.password);
    const id = randomUUID();
    const memberId = randomUUID();
    return deps.db.account(id).transactional(async (tx) => {
      if (deps.singleClient && (await isSignUpClosed(tx))) throw new AppError('signup_closed');
      const client = await insertUnconfirmedClient(tx, {
        id,
        name,
        email,
        cnpj,
        segment,
        plan: PLAN,
        trialDays: TRIAL_DAYS,
        confirmWithinDays: UNCONFIRMED_ACCOUNT_DAYS,
      });
      await insertMember(tx, { id: memberId, clientId: id, email, name, role: 'owner', passwordHash });
      const token = await openShortSession(tx, deps, { clientId: id, memberId, from: origin });
      await addAudit(tx, { clientId: id, actor: 'client', action: 'sign_up', ip: origin.ip });
      await askForMail(tx, deps.workflows, id, 'email_confirmation');
      return { ...summaryOf(client), token };
    });
  };
