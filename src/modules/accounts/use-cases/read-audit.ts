import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { startOfStatisticsDay } from '../../../kernel/statistics-day.ts';
import { type Page, pageOf } from '../../../platform/shared/cursor.ts';
import type { AuditAction } from '../queries/add-audit.ts';
import { AUDIT_OF_ACTIONS, AUDIT_OF_CLIENT, type AuditRow } from '../queries/audit.ts';
import { type Author, byMember } from '../rules/author.ts';
import type { AuditActor, AuditDetails } from '../tables/audit-log.ts';
import { AUDIT_ACTIONS, type AuditGroup } from '../texts/audit-actions.ts';
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

/** What narrows the list. Days are those of São Paulo, and `to` is the last one. */
export interface AuditFilter {
  readonly clientId: string;
  /** One action, or all of a group. */
  readonly action?: AuditAction | AuditGroup | undefined;
  readonly from?: LocalDate | undefined;
  readonly to?: LocalDate | undefined;
}

export interface AuditPlace {
  readonly at: Date;
  readonly seq: string;
}

const NEWEST: AuditPlace = { at: new Date('9999-12-31T00:00:00Z'), seq: '0' };
const OLDEST = new Date('2000-01-01T00:00:00Z');

const ACTIONS = Object.entries(AUDIT_ACTIONS satisfies Record<AuditAction, unknown>);

/** Null when all actions are asked for. */
const actionsOf = (action: AuditFilter['action']): string[] | null =>
  action === undefined
    ? null
    : ACTIONS.filter(([name, [group]]) => name === action || group === action).map(([name]) => name);

/** Reads entries behind `before`, the newest first. */
export function readEntries(
  db: Pick<AccountDeps['db'], 'readPrepared'>,
  { clientId, action, from, to }: AuditFilter,
  { before = NEWEST, limit }: { readonly before?: AuditPlace | undefined; readonly limit: number },
): Promise<AuditRow[]> {
  const page = {
    clientId,
    from: from === undefined ? OLDEST : new Date(startOfStatisticsDay(from)),
    to: to === undefined ? NEWEST.at : new Date(startOfStatisticsDay(addDays(to, 1))),
    beforeAt: before.at,
    before: before.seq,
    limit,
  };
  const actions = actionsOf(action);
  if (actions === null) return db.readPrepared({ clientId }, AUDIT_OF_CLIENT, page);
  return db.readPrepared({ clientId }, AUDIT_OF_ACTIONS, { ...page, actions });
}

/** A cursor holds the moment in milliseconds and the number of the entry. */
function position([at, seq]: readonly unknown[]): AuditPlace | null {
  const isPlace =
    typeof at === 'number' && Number.isSafeInteger(at) && typeof seq === 'string' && /^\d{1,19}$/.test(seq);
  return isPlace ? { at: new Date(at), seq } : null;
}

/** Lists the client's own audit entries, newest first. */
export const readAudit =
  ({ db, auditIds, cursors }: Pick<AccountDeps, 'db' | 'auditIds' | 'cursors'>) =>
  async (input: AuditFilter & { limit: number; cursor?: string | undefined }): Promise<Page<AuditView>> => {
    const { clientId, limit, cursor } = input;
    const before = cursors.read('audit', clientId, cursor, position);
    const rows = await readEntries(db, input, { before, limit: limit + 1 });
    const view = ({ seq, at, memberId, memberName, ...rest }: AuditRow): AuditView => ({
      id: auditIds.idOf(clientId, seq),
      at: at.toISOString(),
      ...rest,
      ...byMember(memberId, memberName),
    });
    return pageOf(rows, limit, view, (last) => cursors.write('audit', clientId, last.at.getTime(), last.seq));
  };
