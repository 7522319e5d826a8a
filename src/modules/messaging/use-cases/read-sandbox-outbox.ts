import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import { type Page, pageOf } from '../../../platform/shared/cursor.ts';
import type { SharedDeps } from '../../deps.ts';
import { sandboxMessagesOfClient, sandboxMessagesOfDebt } from '../queries/sandbox-outbox-reads.ts';
import { requireSandboxDebt } from './require-sandbox-debt.ts';

export interface SandboxMessage {
  readonly id: string;
  readonly debtId: string;
  readonly channel: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
  readonly document: ShownDocument | null;
  readonly at: string;
}

const position = ([seq]: readonly unknown[]): number | null =>
  Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : null;

/** Lists the messages that would have been sent to debtors, in the order of sending. */
export const readSandboxOutbox =
  (deps: Pick<SharedDeps, 'db' | 'sandboxOnly' | 'cursors'>) =>
  async (request: {
    readonly clientId: string;
    readonly debtId?: string | undefined;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<Page<SandboxMessage>> => {
    const { clientId, debtId, limit } = request;
    const after = deps.cursors.read('sandbox outbox', clientId, request.cursor, position) ?? 0;
    const rows = await deps.db.tenant(clientId).transactional(async (tx) => {
      const page = { after, limit: limit + 1 };
      if (debtId === undefined) return sandboxMessagesOfClient(tx, clientId, page);
      await requireSandboxDebt(tx, deps, debtId);
      return sandboxMessagesOfDebt(tx, debtId, page);
    });
    return pageOf(
      rows,
      limit,
      ({ seq: _, ...row }) => ({ ...row, at: row.at.toISOString() }),
      (last) => deps.cursors.write('sandbox outbox', clientId, last.seq),
    );
  };
