import { mapDbError } from '../../../platform/database/map-db-error.ts';
import { addAudit } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { INVITATION_OF_TOKEN, takeInvitation } from '../queries/invitations.ts';
import { insertMember } from '../queries/members.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { linkRefused } from './link-refused.ts';
import { hashToken } from './opaque-token.ts';

export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly origin: Origin;
}

/**
 * The invited person becomes a member, with the role that the invitation has now. The token came by mail, so it proves
 * the address. Throws `email_taken` when the address has become that of another member meanwhile.
 */
export const acceptInvitation =
  ({ db, passwords }: Pick<AccountDeps, 'db' | 'passwords'>) =>
  async ({ token, name, password, origin }: Acceptance): Promise<void> => {
    const tokenHash = hashToken(token);
    const [found] = await db.readPrepared({ auth: true }, INVITATION_OF_TOKEN, { tokenHash });
    if (found === undefined) throw linkRefused();
    const { id, clientId } = found;
    const passwordHash = await passwords.hash(password);
    const accepting = db.account(clientId).transactional(async (tx) => {
      await lockClient(tx, clientId);
      const invitation = await takeInvitation(tx, id, tokenHash);
      if (invitation === undefined) throw linkRefused();
      const { email, role } = invitation;
      await insertMember(tx, { id, clientId, email, name, role, passwordHash });
      const details = { role };
      await addAudit(tx, { clientId, actor: 'client', action: 'member_joined', target: id, ip: origin.ip, details });
    });
    await accepting.catch((error: unknown) => {
      throw mapDbError(error);
    });
  };
