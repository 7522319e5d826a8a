import type { MessageDocument } from '../../db/entities/message.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { CollectionDeps } from '../collection/deps.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../shared/cursor.ts';
import { requireSandboxDebt } from './sandbox-debt.ts';

export interface SandboxOutboxItem {
  readonly id: string;
  readonly debtId: string;
  readonly channel: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
  readonly document: MessageDocument | null;
  readonly at: string;
}

type Row = Omit<SandboxOutboxItem, 'at'> & { readonly seq: number; readonly at: Date };

// The outbox also holds mails to the client itself, such as a password reset. They have no debt and are not listed here.
const COLUMNS = `id, seq, debt_id as "debtId", channel, recipient as "to", purpose, text, document, at`;
const OF_DEBT = `select ${COLUMNS} from sandbox_outbox where debt_id = $3 and seq > $1 order by seq limit $2`;
const OF_CLIENT = `
  select ${COLUMNS} from sandbox_outbox
  where client_id = $3 and debt_id is not null and seq > $1 order by seq limit $2`;

const position = ([seq]: readonly unknown[]): number | null =>
  Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : null;

/** Lists the messages that would have been sent to debtors, in the order of sending. */
export const readSandboxOutbox =
  (deps: Pick<CollectionDeps, 'db' | 'sandboxOnly'>) =>
  async (request: {
    readonly clientId: string;
    readonly debtId?: string | undefined;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<Page<SandboxOutboxItem>> => {
    const { clientId, debtId, limit } = request;
    const after = readCursor(request.cursor, position) ?? 0;
    const rows = await deps.db.tenant(clientId).transactional(async (em) => {
      if (debtId === undefined) return runInTransaction<Row>(em, OF_CLIENT, [after, limit + 1, clientId]);
      await requireSandboxDebt(em, deps, debtId);
      return runInTransaction<Row>(em, OF_DEBT, [after, limit + 1, debtId]);
    });
    return pageOf(
      rows,
      limit,
      ({ seq: _, ...row }) => ({ ...row, at: row.at.toISOString() }),
      (last) => writeCursor(last.seq),
    );
  };
