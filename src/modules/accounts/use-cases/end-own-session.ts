import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { endSession, type SessionOwner } from '../queries/sessions.ts';
import type { AccountDeps } from './deps.ts';

/** Ends one open session of the member, which may be that of the caller. */
export const endOwnSession =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  (input: SessionOwner & { readonly id: string; readonly source: RequestSource }): Promise<void> => {
    const { clientId, memberId, id, source } = input;
    return db.tenant(clientId).transactional(async (tx) => {
      if ((await endSession(tx, memberId, id)) === undefined) throw new AppError('not_found');
      await addRequestAudit(tx, { clientId, source, action: 'session_ended', target: id });
    });
  };
