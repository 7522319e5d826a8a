import { type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import type { SharedDeps } from '../../deps.ts';
import { sandboxMailsOfClient } from '../queries/sandbox-outbox.ts';

export interface SandboxMail {
  readonly id: string;
  readonly to: string;
  readonly purpose: string;
  /** Null for a mail whose link changes the password: whoever has a session must not gain the account by it. */
  readonly text: string | null;
  readonly at: string;
}

const WITHOUT_TEXT: ReadonlySet<string> = new Set(['password_reset']);

const position = ([seq]: readonly unknown[]): number | null =>
  Number.isSafeInteger(seq) && (seq as number) > 0 ? (seq as number) : null;

/** Lists the mails to the client's own address that were stored because there is no mail server, the newest first. */
export const readSandboxMails =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (request: {
    readonly clientId: string;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<Page<SandboxMail>> => {
    const { clientId, limit } = request;
    const before = readCursor(request.cursor, position) ?? Number.MAX_SAFE_INTEGER;
    const rows = await db
      .tenant(clientId)
      .transactional((tx) => sandboxMailsOfClient(tx, clientId, { before, limit: limit + 1 }));
    return pageOf(
      rows,
      limit,
      ({ seq: _, at, text, ...row }) => ({
        ...row,
        text: WITHOUT_TEXT.has(row.purpose) ? null : text,
        at: at.toISOString(),
      }),
      (last) => writeCursor(last.seq),
    );
  };
