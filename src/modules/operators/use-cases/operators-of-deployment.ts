import { AppError } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/database/database.ts';
import { normaliseEmail } from '../../accounts/rules/corporate-email.ts';
import { hashToken, newOpaqueToken } from '../../accounts/use-cases/opaque-token.ts';
import {
  addAct,
  deleteInvitationOf,
  hasOperator,
  insertInvitation,
  openInvitations,
  presentOperators,
  removeOperatorOf,
} from '../queries/operators.ts';
import { OPERATOR_INVITATION_DAYS } from '../rules/operator-limits.ts';

type Deps = { readonly db: Pick<Database, 'system'> };

const emailOf = (given: string): string => {
  const email = normaliseEmail(given.trim());
  if (email === null) throw new AppError('validation_failed', { detail: `${given} is not an e-mail address` });
  return email;
};

const BY_COMMAND = { operatorId: null, ip: 'command' } as const;

/**
 * Makes the token by which a person becomes an operator; an earlier one of the same address ends. Only who holds the
 * server calls it. Throws `email_taken`.
 */
export const inviteOperator =
  ({ db }: Deps) =>
  async (given: string): Promise<{ readonly token: string; readonly validDays: number }> => {
    const email = emailOf(given);
    const token = newOpaqueToken();
    await db.system().transactional(async (tx) => {
      if (await hasOperator(tx, email))
        throw new AppError('email_taken', { detail: `${email} is an operator already` });
      await insertInvitation(tx, { email, tokenHash: hashToken(token) });
      await addAct(tx, { ...BY_COMMAND, action: 'operator_invited' });
    });
    return { token, validDays: OPERATOR_INVITATION_DAYS };
  };

export const listOperators = ({ db }: Deps) =>
  db.system().transactional(async (tx) => ({
    operators: await presentOperators(tx),
    invited: await openInvitations(tx),
  }));

/** Ends the access of an operator, or an invitation, at once. Returns false when there is neither. */
export const removeOperator =
  ({ db }: Deps) =>
  async (given: string): Promise<boolean> => {
    const email = emailOf(given);
    return db.system().transactional(async (tx) => {
      const removed = await removeOperatorOf(tx, email);
      const invited = await deleteInvitationOf(tx, email);
      if (removed === undefined && !invited) return false;
      await addAct(tx, { ...BY_COMMAND, action: 'operator_removed', details: { operator: removed ?? null } });
      return true;
    });
  };
