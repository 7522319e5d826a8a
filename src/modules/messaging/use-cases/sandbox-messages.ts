import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type Page, pageOf } from '../../../platform/shared/cursor.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { isSandboxDebt, markAsSandboxDebt } from '../../debts/queries/debts.ts';
import type { SharedDeps } from '../../deps.ts';
import { sandboxMessagesOfClient, sandboxMessagesOfDebt } from '../queries/sandbox-outbox.ts';
import { stepsToPay } from '../rules/steps-to-pay.ts';
import { storeReceived } from './receive-message.ts';

/**
 * Throws `not_found` unless the debt is the caller's own and a sandbox debt: for any other the sandbox routes do not
 * exist.
 */
export async function requireSandboxDebt(
  tx: Tx,
  { sandboxOnly }: Pick<SharedDeps, 'sandboxOnly'>,
  debtId: string,
): Promise<void> {
  const sandbox = await isSandboxDebt(tx, debtId);
  if (sandbox === undefined || !(sandbox || sandboxOnly)) throw new AppError('not_found');
}

export interface SandboxMessage {
  readonly id: string;
  readonly debtId: string;
  readonly channel: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
  readonly document: ShownDocument | null;
  readonly pixCode?: string | null;
  /** How many steps the debtor is away from having paid; null for a message by which nothing can be paid. */
  readonly stepsToPay?: number | null;
  readonly at: string;
}

/** The pages of a debt and of a person, by the addresses that texts name. */
const pagesWithCode = (publicUrl: string): readonly string[] => [`${publicUrl}/p/d`, `${publicUrl}/p/p`];

const position = ([seq]: readonly unknown[]): number | null =>
  Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : null;

/** Lists the messages that would have been sent to debtors, in the order of sending. */
export const readSandboxOutbox =
  (deps: Pick<SharedDeps, 'db' | 'sandboxOnly' | 'cursors' | 'publicUrl'>) =>
  async (request: {
    readonly clientId: string;
    readonly debtId?: string | undefined;
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly include?: 'steps' | undefined;
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
      ({ seq: _, pixCode, ...row }) => ({
        ...row,
        at: row.at.toISOString(),
        ...(request.include === 'steps'
          ? { pixCode, stepsToPay: stepsToPay({ ...row, pixCode }, pagesWithCode(deps.publicUrl))?.length ?? null }
          : {}),
      }),
      (last) => deps.cursors.write('sandbox outbox', clientId, last.seq),
    );
  };

/** Simulates a message from the debtor's phone, which is received like any other message. */
export const sendSandboxMessage =
  (deps: Pick<SharedDeps, 'db' | 'now' | 'workflows' | 'sandboxOnly'>) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly text: string;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, debtId, text, source } = request;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      await requireSandboxDebt(tx, deps, debtId);
      // On a deployment with sandbox adapters only, a debt of a draft is a sandbox debt before the launch marks it as
      // one.
      await markAsSandboxDebt(tx, debtId);
      const message = { clientId, debtId, channel: 'sandbox', channelMessageId: `played_${randomUUID()}`, text };
      await storeReceived(tx, deps, message);
      await addRequestAudit(tx, { clientId, source, action: 'sandbox_message_sent', target: debtId });
    });
  };
