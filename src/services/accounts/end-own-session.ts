import { addRequestAudit, type RequestSource } from '../../db/add-audit.ts';
import { endSession } from '../../db/queries/sessions.ts';
import { AppError } from '../../domain/errors.ts';
import type { AccountDeps } from './deps.ts';

/** Ends one open session of the client, which may be that of the caller. */
export const endOwnSession =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  (input: { readonly clientId: string; readonly id: string; readonly source: RequestSource }): Promise<void> => {
    const { clientId, id, source } = input;
    return db.tenant(clientId).transactional(async (em) => {
      if ((await endSession(em, id)) === undefined) throw new AppError('not_found');
      await addRequestAudit(em, { clientId, source, action: 'session_ended', target: id });
    });
  };
