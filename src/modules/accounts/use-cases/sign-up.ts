import { randomUUID } from 'node:crypto';
import { UNCONFIRMED_ACCOUNT_DAYS } from '../../../kernel/retention-periods.ts';
import { addAudit } from '../queries/add-audit.ts';
import { insertUnconfirmedClient } from '../queries/clients.ts';
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

/** An account whose address is not confirmed within this time is deleted, unless it has a campaign. */

export const signUp =
  (deps: Pick<AccountDeps, 'db' | 'passwords' | 'accessTokens' | 'workflows'>) =>
  async (input: SignUpInput): Promise<ClientSummary & { token: string }> => {
    const { name, email, cnpj, segment, origin } = input;
    const passwordHash = await deps.passwords.hash(input.password);
    const id = randomUUID();
    return deps.db.tenant(id).transactional(async (tx) => {
      const client = await insertUnconfirmedClient(tx, {
        id,
        name,
        email,
        cnpj,
        segment,
        passwordHash,
        plan: PLAN,
        trialDays: TRIAL_DAYS,
        confirmWithinDays: UNCONFIRMED_ACCOUNT_DAYS,
      });
      const token = await openShortSession(tx, deps, id);
      await addAudit(tx, { clientId: id, actor: 'client', action: 'sign_up', ip: origin.ip });
      await askForMail(tx, deps.workflows, id, 'email_confirmation');
      return { ...summaryOf(client), token };
    });
  };
