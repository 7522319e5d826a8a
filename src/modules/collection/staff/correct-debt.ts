import { DAY, startOfDay } from '../../../kernel/calendar.ts';
import { isLive } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import { phonesWithCorrected } from '../../../kernel/phone.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import {
  type CorrectedColumns,
  correctableDebt,
  correctDebtColumns,
  hasMessagesOn,
  isOtherDebt,
  replacePhones,
  supersedeCharges,
} from '../../debts/queries/debt-corrections.ts';
import { lockImports } from '../../debts/queries/imports.ts';
import type { ChangedField } from '../../debts/rules/timeline-entry.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { lockPayments } from '../../payments/use-cases/apply-report.ts';
import type { CollectionDeps } from '../deps.ts';
import { scoreDebt } from '../planning/score-campaign.ts';
import { followCorrection } from './restart-debt.ts';

/** What a client may correct. An absent member stays; only the e-mail address can be removed. */
export interface Correction {
  readonly debtorPhone?: string | undefined;
  readonly debtorEmail?: string | null | undefined;
  readonly dueDate?: string | undefined;
  readonly amountCentavos?: number | undefined;
}

interface CorrectionRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly correction: Correction;
  readonly source: RequestSource;
}

type Deps = Pick<CollectionDeps, 'db' | 'now' | 'workflows' | 'agent' | 'policy' | 'personKeys' | 'sendersOf'>;

/**
 * Corrects a debt of which nothing was paid yet. Codes with an old amount or due date are replaced, the timeline tells
 * what changed, and the workflow reads the debt again. The step of the sequence stays, and the gate decides by the new
 * values about the next contact.
 */
export const correctDebt =
  (deps: Deps) =>
  async ({ clientId, debtId, correction, source }: CorrectionRequest): Promise<void> => {
    await deps.db.tenant(clientId).transactional(async (tx) => {
      // An import looks for duplicates under the same lock, and takes it first.
      if (correction.amountCentavos !== undefined || correction.dueDate !== undefined) await lockImports(tx, clientId);
      const debt = await lockUnpaid(tx, debtId);
      const changes = changesOf(debt, correction);
      if (Object.keys(changes).length === 0) return;
      if (changes.amountCentavos !== undefined || changes.dueDate !== undefined) {
        await refuseDuplicate(tx, debt, changes);
        await supersedeCharges(tx, debtId);
      }
      await store(tx, deps, debt, changes);
      await followEnd(tx, deps, debt);
      if ((await correctableDebt(tx, debtId)).scoredAt !== null) await scoreDebt(tx, deps, debtId);
      const fields = changedFields(debt, changes).map(({ field }) => field);
      await addRequestAudit(tx, {
        clientId,
        source,
        action: 'debt_changed',
        target: debtId,
        details: { fields: fields.join(', ') },
      });
      await wake(tx, deps, debt, changes);
    });
  };

/**
 * A debt without any payment may be corrected in every status in which it can still be paid or collected: also after a
 * dispute, an opt-out or its last message, because its page still asks for the amount.
 */
async function lockUnpaid(tx: Tx, debtId: string): Promise<DebtContext> {
  const known = await lockPayments(tx, debtId);
  const debt = known?.rows.find(({ id }) => id === debtId);
  if (known === null || debt === undefined) throw new AppError('not_found');
  const isPaid = known.current.status === 'PAID' || known.charges.some(({ paidCentavos }) => paidCentavos > 0);
  if (isPaid) throw new AppError('debt_state', { detail: 'A payment of this debt has come in.' });
  if (debt.status === 'AGREEMENT') {
    throw new AppError('debt_state', { detail: 'This debt is part of an agreement: cancel it first.' });
  }
  if (debt.erased) throw new AppError('debt_state', { detail: 'The debtor was erased.' });
  if (debt.continuedBy !== null) {
    throw new AppError('debt_state', { detail: `This debt was imported again: correct ${debt.continuedBy}.` });
  }
  if (debt.status === 'STOPPED') {
    throw new AppError('debt_state', { detail: 'This debt is not collected any more: import it again.' });
  }
  return debt;
}

async function followEnd(tx: Tx, deps: Deps, before: DebtContext): Promise<void> {
  const after = await loadDebt(tx, before.id);
  const at = debtNow(before.clockOffsetMs, deps.now().getTime());
  if (after !== null) await followCorrection(tx, deps, { before, after, at });
}

/** Leaves out what is as it was. */
function changesOf(debt: DebtContext, given: Correction): Correction {
  const { debtorPhone, debtorEmail, dueDate, amountCentavos } = given;
  return {
    ...(debtorPhone === undefined || debtorPhone === debt.debtorPhone ? {} : { debtorPhone }),
    ...(debtorEmail === undefined || debtorEmail === debt.debtorEmail ? {} : { debtorEmail }),
    ...(dueDate === undefined || dueDate === debt.dueDate ? {} : { dueDate }),
    ...(amountCentavos === undefined || amountCentavos === debt.amountCentavos ? {} : { amountCentavos }),
  };
}

async function refuseDuplicate(tx: Tx, debt: DebtContext, changes: Correction): Promise<void> {
  const { invoiceKey } = await correctableDebt(tx, debt.id);
  const { amountCentavos = debt.amountCentavos, dueDate = debt.dueDate } = changes;
  if (!(await isOtherDebt(tx, { ...debt, invoiceKey, amountCentavos, dueDate }))) return;
  const pointer = changes.amountCentavos === undefined ? '/dueDate' : '/originalAmount';
  const message = 'With this value, it is a debt that you have already';
  throw new AppError('validation_failed', { errors: [{ pointer, code: 'duplicate', message }] });
}

async function store(tx: Tx, deps: Deps, debt: DebtContext, changes: Correction): Promise<void> {
  const { debtorPhone, debtorEmail, dueDate, amountCentavos } = changes;
  const now = debtNow(debt.clockOffsetMs, deps.now().getTime());
  if (debtorPhone !== undefined) {
    const { debtorPhone: inUse } = debt;
    const wasWrittenTo = await hasMessagesOn(tx, debt.id, inUse);
    await replacePhones(tx, debt, phonesWithCorrected(debt.phones, { inUse, next: debtorPhone, wasWrittenTo }));
  }
  const columns: CorrectedColumns = {
    ...(debtorPhone === undefined ? {} : { debtorPhone }),
    ...(debtorEmail === undefined ? {} : await emailColumns(tx, debt, debtorEmail)),
    ...(dueDate === undefined ? {} : { dueDate }),
    ...(amountCentavos === undefined ? {} : { originalAmountCentavos: amountCentavos }),
    ...(waitsForOldDate(debt, dueDate, now) ? { nextContactAt: new Date(now) } : {}),
  };
  await correctDebtColumns(tx, debt.id, columns);
  await recordEntries(
    tx,
    debt.id,
    now,
    changedFields(debt, changes).map((changed) => ({ kind: 'debt_changed', ...changed })),
  );
}

/**
 * Returns whether the next contact waits for a due date that was too late, or for a reminder of it, so that the gate is
 * asked again. After a later date the gate refuses the contact at its moment and names the new one.
 */
function waitsForOldDate(debt: DebtContext, dueDate: string | undefined, now: number): boolean {
  if (dueDate === undefined || dueDate >= debt.dueDate || !isLive(debt.status)) return false;
  const dayAfter = startOfDay(debt.dueDate, 0) + DAY;
  return (
    now < dayAfter &&
    debt.nextContactAt !== null &&
    (debt.reminders !== null || debt.nextContactAt.getTime() >= dayAfter)
  );
}

/** The corrected address takes the place of the one in use. Without an address, none is left in the list either. */
async function emailColumns(tx: Tx, debt: DebtContext, next: string | null): Promise<CorrectedColumns> {
  if (next === null) return { debtorEmail: null, debtorEmails: null };
  const { debtorEmails } = await correctableDebt(tx, debt.id);
  if (debtorEmails === null || debtorEmails.includes(next)) return { debtorEmail: next };
  return {
    debtorEmail: next,
    debtorEmails: debtorEmails.map((email) => (email === debt.debtorEmail ? next : email)),
  };
}

/** Timelines are kept when a person is erased, so they name neither phones nor addresses. */
function changedFields(debt: DebtContext, changes: Correction): readonly ChangedField[] {
  const { debtorPhone, debtorEmail, dueDate, amountCentavos } = changes;
  const reason = 'corrected';
  const fields: ChangedField[] = [];
  if (debtorPhone !== undefined) fields.push({ field: 'debtorPhone', reason });
  if (debtorEmail !== undefined) fields.push({ field: 'debtorEmail', reason });
  if (dueDate !== undefined) fields.push({ field: 'dueDate', reason, from: debt.dueDate, to: dueDate });
  if (amountCentavos !== undefined) {
    const values = { from: toReais(debt.amountCentavos), to: toReais(amountCentavos) };
    fields.push({ field: 'originalAmount', reason, ...values });
  }
  return fields;
}

/**
 * A debt of a draft has no workflow, and one that its campaign has not planned yet will be planned with the new values.
 * A settlement cancels the replaced codes, and then waits for the next contact.
 */
async function wake(tx: Tx, deps: Deps, debt: DebtContext, changes: Correction): Promise<void> {
  const isUnplanned = debt.status === 'QUEUED' && debt.nextContactAt === null && debt.pausedAt === null;
  if (debt.campaignStatus === 'DRAFT' || isUnplanned) return;
  const renews = changes.amountCentavos !== undefined || changes.dueDate !== undefined;
  await addOutbox(tx, deps.workflows.wakeDebt(debt, renews ? 'paymentNoticed' : 'stateChanged', 'corrected'));
}
