import { AppError } from '../../../kernel/errors.ts';
import { type Page, pageOf, readCursor, readMomentAndId, writeCursor } from '../../../platform/shared/cursor.ts';
import { type Author, byMember } from '../../accounts/rules/author.ts';
import { listRequests, type RequestRow, readRequest, STORED_FILE } from '../queries/rights-requests.ts';
import type { FileType } from '../rules/file-content.ts';
import type { RequestState } from '../rules/request-states.ts';
import type { Outcome, RightsKind } from '../rules/rights-request.ts';
import { fileContext } from './ask.ts';
import type { RightsDeps } from './deps.ts';

export interface RightsRequestView {
  readonly id: string;
  readonly protocol: string;
  readonly kind: RightsKind;
  readonly debtId: string;
  readonly debtorName: string;
  readonly text: string;
  readonly file: { readonly contentType: string; readonly bytes: number } | null;
  readonly createdAt: string;
  readonly dueAt: string | null;
  readonly answeredAt: string | null;
  readonly outcome: Outcome | null;
  readonly answer: string | null;
  readonly changed: string[];
  readonly sandbox: boolean;
  readonly by?: Author;
}

const viewOf = (row: RequestRow): RightsRequestView => ({
  id: row.id,
  protocol: row.protocol,
  kind: row.kind,
  debtId: row.debtId,
  debtorName: row.debtorName,
  text: row.text,
  file: row.file,
  createdAt: row.createdAt.toISOString(),
  dueAt: row.dueAt?.toISOString() ?? null,
  answeredAt: row.answeredAt?.toISOString() ?? null,
  outcome: row.outcome,
  answer: row.answer,
  changed: [...row.changed],
  sandbox: row.sandbox,
  ...byMember(row.answeredBy, row.answeredByName),
});

/** Lists what persons have asked of a client on their page, the latest first. */
export const listRightsRequests =
  ({ db }: Pick<RightsDeps, 'db'>) =>
  async (asked: {
    readonly clientId: string;
    readonly debtId?: string | undefined;
    readonly state: RequestState;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<Page<RightsRequestView>> => {
    const { clientId, debtId = null, state, limit, cursor } = asked;
    const after = readCursor(cursor, readMomentAndId) ?? null;
    const page = { clientId, debtId, state, after, limit: limit + 1 };
    const rows = await db.tenant(clientId).transactional((tx) => listRequests(tx, page));
    return pageOf(rows, limit, viewOf, ({ createdAt, id }) => writeCursor(createdAt.getTime(), id));
  };

export const readRightsRequest =
  ({ db }: Pick<RightsDeps, 'db'>) =>
  async ({ clientId, id }: { readonly clientId: string; readonly id: string }): Promise<RightsRequestView> => {
    const row = await db.tenant(clientId).transactional((tx) => readRequest(tx, id));
    if (row === undefined) throw new AppError('not_found');
    return viewOf(row);
  };

/** Returns the file that came with a request, which only the client's own staff may have. */
export const readRightsFile =
  ({ db, cipher }: Pick<RightsDeps, 'db' | 'cipher'>) =>
  async ({
    clientId,
    id: requestId,
  }: {
    readonly clientId: string;
    readonly id: string;
  }): Promise<{ readonly content: Buffer; readonly contentType: FileType }> => {
    const [row] = await db.readPrepared({ clientId }, STORED_FILE, { requestId });
    if (row === undefined || row.clientId !== clientId) throw new AppError('not_found');
    const text = cipher.open(row.sealed, fileContext(clientId, requestId));
    return { content: Buffer.from(text, 'base64'), contentType: row.contentType };
  };
