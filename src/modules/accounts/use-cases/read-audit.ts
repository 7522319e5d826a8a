import { type Page, pageOf } from '../../../platform/shared/cursor.ts';
import { AUDIT_OF_CLIENT, type AuditRow } from '../queries/audit.ts';
import { type Author, byMember } from '../rules/author.ts';
import type { AuditActor, AuditDetails } from '../tables/audit-log.ts';
import type { AccountDeps } from './deps.ts';

export interface AuditView {
  readonly id: string;
  readonly at: string;
  readonly actor: AuditActor;
  readonly action: string;
  readonly target: string | null;
  /** An IP address, or `command` for an operator's command. Null when the service acts by itself. */
  readonly ip: string | null;
  readonly details: AuditDetails | null;
  /** The member who acted; absent for an API key, for a stranger and for the service itself. */
  readonly by?: Author;
}

const NEWEST = String(2n ** 63n - 1n);

const position = ([seq]: readonly unknown[]): string | null =>
  typeof seq === 'string' && /^\d{1,19}$/.test(seq) ? seq : null;

/** Lists the client's own audit entries, newest first. */
export const readAudit =
  ({ db, auditIds, cursors }: Pick<AccountDeps, 'db' | 'auditIds' | 'cursors'>) =>
  async (input: { clientId: string; limit: number; cursor?: string | undefined }): Promise<Page<AuditView>> => {
    const { clientId, limit, cursor } = input;
    const before = cursors.read('audit', clientId, cursor, position) ?? NEWEST;
    const rows = await db.readPrepared({ clientId }, AUDIT_OF_CLIENT, { clientId, before, limit: limit + 1 });
    const view = ({ seq, at, memberId, memberName, ...rest }: AuditRow): AuditView => ({
      id: auditIds.idOf(clientId, seq),
      at: at.toISOString(),
      ...rest,
      ...byMember(memberId, memberName),
    });
    return pageOf(rows, limit, view, (last) => cursors.write('audit', clientId, last.seq));
  };
