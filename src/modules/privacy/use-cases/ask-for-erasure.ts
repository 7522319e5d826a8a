import { randomUUID } from 'node:crypto';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { PrivacyWorkflows } from '../../../kernel/ports/privacy-workflows.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockForOwner } from '../../accounts/use-cases/lock-for-owner.ts';
import { debtsToErase, receiptsOfDebts } from '../queries/erasure.ts';
import { CLOSED, type RefusedDebt } from './erase-debtor.ts';

export interface AskForErasure {
  readonly clientId: string;
  /** The caller. */
  readonly memberId: string;
  /** CPF or CNPJ, without punctuation. */
  readonly taxId: string;
  /** Only says what would be done. */
  readonly checkOnly: boolean;
  readonly source: RequestSource;
}

/** What an erasure does with the debts of a person. */
export interface ErasureView {
  readonly erasable: number;
  readonly kept: number;
  /** The first ones, those that are erased before the others. */
  readonly debts: {
    readonly id: string;
    readonly invoiceId: string | null;
    readonly status: DebtStatus;
    /** Null for a debt that is erased. */
    readonly because: RefusedDebt['because'] | null;
  }[];
  /** Receipts of debts that are erased. */
  readonly receipts: { readonly protocol: string; readonly debtId: string; readonly keptUntil: string }[];
}

const MAX_SHOWN = 200;

async function viewOf(tx: Tx, { clientId, taxId }: AskForErasure): Promise<ErasureView> {
  const found = await debtsToErase(tx, { clientId, taxId, statuses: CLOSED, limit: MAX_SHOWN });
  const debts = found.map(({ id, invoiceId, status, busy, closed }) => {
    const because = closed ? (busy ? 'busy' : null) : 'open';
    return { id, invoiceId, status, because } as const;
  });
  const ids = debts.filter(({ because }) => because === null).map(({ id }) => id);
  const receipts = ids.length === 0 ? [] : await receiptsOfDebts(tx, ids);
  return {
    erasable: found[0]?.erasable ?? 0,
    kept: found[0]?.kept ?? 0,
    debts,
    receipts: receipts.map(({ protocol, debtId, dutyEnds }) => ({
      protocol,
      debtId,
      keptUntil: dutyEnds.toISOString(),
    })),
  };
}

/**
 * Says what an erasure of a person does, and has it done by a worker. Nothing is done, and nothing refused, when no debt
 * names the person, so that the same request may come again. Throws `debt_state` when no debt can be erased yet.
 */
export const askForErasure =
  ({ db, workflows }: { readonly db: Pick<Database, 'tenant'>; readonly workflows: PrivacyWorkflows }) =>
  (asked: AskForErasure): Promise<ErasureView> => {
    const { clientId, checkOnly, source } = asked;
    return db.tenant(clientId).transactional(async (tx) => {
      await lockForOwner(tx, asked);
      const view = await viewOf(tx, asked);
      if (checkOnly) return view;
      const first = view.debts.find(({ because }) => because === null);
      if (first === undefined) {
        if (view.kept > 0) throw new AppError('debt_state');
        return view;
      }
      const details = { debts: view.erasable, kept: view.kept };
      await addRequestAudit(tx, { clientId, source, action: 'erasure_asked', details });
      await addOutbox(tx, workflows.eraseDebtor({ clientId, debtId: first.id, requestId: randomUUID() }));
      return view;
    });
  };
