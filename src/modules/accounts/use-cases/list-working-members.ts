import { WORKING_MEMBERS } from '../queries/working-members.ts';
import type { Author } from '../rules/author.ts';
import type { AccountDeps } from './deps.ts';

/** Lists the members of a client to whom a case of the inbox may be given. */
export const listWorkingMembers =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  (clientId: string): Promise<readonly Author[]> =>
    db.readPrepared({ clientId }, WORKING_MEMBERS, { clientId });
