import { AppError } from '../../../kernel/errors.ts';
import { type MemberRole, requireRight } from '../../../kernel/member-rights.ts';
import { storable } from '../../../kernel/received-text.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { type Correction, correctDebt } from '../../collection/staff/correct-debt.ts';
import { lockDebts } from '../../debts/queries/debt-locks.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { followWaiting, lockRequest, storeAnswer } from '../queries/rights-requests.ts';
import type { Outcome } from '../rules/rights-request.ts';
import type { RightsDeps } from './deps.ts';
import { type RightsRequestView, readRightsRequest } from './list-requests.ts';

export interface AnswerToRequest {
  readonly clientId: string;
  readonly id: string;
  readonly text: string;
  readonly outcome: Outcome;
  /** What is corrected with the answer, as `PATCH /api/debts/:id` corrects it. */
  readonly changes: Correction | null;
  readonly role: MemberRole;
  readonly source: RequestSource;
}

const NAMES = ['debtorPhone', 'debtorEmail', 'dueDate', 'amountCentavos'] as const satisfies (keyof Correction)[];

/**
 * Answers a request, once. The person reads the answer on the page. Data of the debt is corrected before: an answer that
 * says that something was corrected is never stored without the correction.
 */
export const answerRightsRequest =
  (deps: RightsDeps) =>
  async ({ clientId, id, text, outcome, changes, role, source }: AnswerToRequest): Promise<RightsRequestView> => {
    const db = deps.db.tenant(clientId);
    const changed = NAMES.filter((name) => changes?.[name] !== undefined);
    const { debtId, toCorrect } = await db.transactional(async (tx) => {
      const request = await requireOpen(tx, id);
      return { debtId: request.debtId, toCorrect: await rowToCorrect(tx, request.debtId) };
    });
    if (changes !== null && changed.length > 0) {
      requireRight(role, 'manage');
      await correctDebt(deps)({ clientId, debtId: toCorrect, correction: changes, source });
    }
    await db.transactional(async (tx) => {
      await lockDebts(tx, [debtId]);
      // An erasure may have moved the request to another debt of the person meanwhile.
      const request = await requireOpen(tx, id);
      const fields = changed.map((name) => (name === 'amountCentavos' ? 'originalAmount' : name));
      await storeAnswer(tx, id, { answer: storable(text), outcome, changed: fields });
      await followWaiting(tx, request.debtId);
      const details = { outcome };
      await addRequestAudit(tx, { clientId, source, action: 'rights_answered', target: id, details });
    });
    return readRightsRequest(deps)({ clientId, id });
  };

async function requireOpen(tx: Tx, id: string): Promise<{ readonly debtId: string }> {
  const request = await lockRequest(tx, id);
  if (request === undefined) throw new AppError('not_found');
  if (request.answeredAt !== null) throw new AppError('debt_state', { detail: 'This request has its answer.' });
  return request;
}

/** The debt as it is now. An import may have given it another person, whose data no answer to this one changes. */
const rowToCorrect = async (tx: Tx, debtId: string): Promise<string> =>
  (await loadDebt(tx, debtId))?.rowOfPerson ?? debtId;
