import { countFailures, setStepBack, WORLD_OF_DEBT } from '../../db/queries/contact-gate.ts';
import { nextMove } from '../../domain/collection-sequence.ts';
import { isLive } from '../../domain/debt-status.ts';
import type { NextStep } from '../../domain/next-step.ts';
import { momentOf } from '../debts/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../debts/debt-context.ts';
import { factsOf, readTurns } from '../debts/debt-facts.ts';
import type { DebtTask } from '../debts/debt-task.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { nextStepOf } from '../debts/next-step.ts';
import { releaseReservations, unbookContact } from '../messaging/contact-ledger.ts';
import { type FailureCause, sendBooked, settleEarlierTry } from '../messaging/send-message.ts';
import { cancelCharges } from '../payments/cancel-charges.ts';
import { ensureCharge } from '../payments/ensure-charge.ts';
import { askGate } from './contact-gate.ts';
import type { CollectionDeps } from './deps.ts';

/** The waits after a message that was certainly not sent. The first is short, because most failures are temporary. */
const RETRY_FIRST_MS = 5 * 60_000;
const RETRY_LONGEST_MS = 24 * 60 * 60_000;
/** A blocked sender uses up no step. It is tried hourly, so that contacts continue soon after it works again. */
const SENDER_RETRY_MS = 60 * 60_000;
/** After this many failures in a row the step counts as done, so that the sequence does not repeat it without end. */
const FAILURES_OF_ONE_STEP = 5;

/** Makes the next contact of a debt if it is due and the gate allows it, and returns what the workflow does next. */
export const contactDebtor =
  (deps: CollectionDeps) =>
  async (request: DebtTask): Promise<NextStep> => {
    const { clientId, debtId, clock } = request;
    const db = deps.db.tenant(clientId);
    const sender = await senderFor(deps, request);
    const ready = await db.transactional(async (em) => {
      const debt = await loadDebt(em, debtId, { forUpdate: true });
      if (debt === null) return null;
      await keepClock(em, debtId, clock.offsetMs);
      if (await settleEarlierTry(em, debt, sender.channel.name, request.attemptKey)) return null;
      if (!isLive(debt.status)) {
        await releaseReservations(em, [debtId]);
        return null;
      }
      const now = momentOf(clock, debt, deps.now().getTime());
      if (debt.nextContactAt !== null && now < debt.nextContactAt.getTime()) return null;
      const move = nextMove(deps.policy.sequence, {
        contactsMade: debt.step,
        anchorAt: now,
        promiseLapsed: debt.status === 'PROMISED',
      });
      if (move.kind === 'exhausted') {
        await releaseReservations(em, [debtId]);
        await moveDebt(em, deps.workflows, debtId, 'exhausted', now);
        return null;
      }
      return { debt, move, now, turns: await readTurns(em, debtId) };
    });
    let needsOperator = false;
    if (ready !== null) {
      const { debt, move, now, turns } = ready;
      // The charge comes before the text and the gate, because a message is useless when its page has no code to pay.
      const charge = await ensureCharge(deps.payments)({ clientId, debtId, at: now });
      const facts = factsOf(debt, deps, charge?.brCode);
      const message = await deps.agent.compose({ kind: move.kind, tone: move.tone }, facts, turns);
      const verdict = await askGate(deps, request, clock, {
        text: message.text,
        channel: sender.channel.name,
        senderNumber: sender.number,
        attemptKey: request.attemptKey,
      });
      if (verdict.allowed) {
        const sending = await sendBooked(deps, debt, sender, {
          id: verdict.messageId,
          purpose: 'collection',
          text: message.text,
          template: message.template,
          at: verdict.at,
        });
        if (sending.outcome === 'failed') await undoContact(deps, debt, verdict, sending);
        else await endAfterLast(deps, debt, verdict.at);
        needsOperator = sending.outcome === 'failed' && sending.cause === 'sender';
      }
    }
    const step = await nextStepOf(deps, clientId, debtId, needsOperator);
    if (step.kind === 'finish' && step.status === 'STOPPED') await cancelCharges(deps.payments)({ clientId, debtId });
    return step;
  };

async function senderFor(deps: CollectionDeps, { clientId, debtId }: DebtTask) {
  const [debt] = await deps.db.readPrepared({ clientId }, WORLD_OF_DEBT, { debtId });
  return deps.senderOf({ clientId, sandbox: debt?.sandbox ?? true });
}

/** Ends the debt immediately after its last contact when the sequence asks for no wait after that contact. */
async function endAfterLast(deps: CollectionDeps, debt: DebtContext, at: number): Promise<void> {
  const next = nextMove(deps.policy.sequence, { contactsMade: debt.step + 1, anchorAt: at, promiseLapsed: false });
  if (next.kind !== 'exhausted' || next.notBefore > at) return;
  await deps.db.tenant(debt.clientId).transactional((em) => moveDebt(em, deps.workflows, debt.id, 'exhausted', at));
}

/** The message reached nobody: the contact does not count, and the gate decides about the same step again later. */
async function undoContact(
  deps: CollectionDeps,
  debt: DebtContext,
  verdict: { readonly messageId: string; readonly at: number },
  failure: { readonly cause: FailureCause; readonly retryAfterMs: number | null },
): Promise<void> {
  await deps.db.tenant(debt.clientId).transactional(async (em) => {
    await unbookContact(em, verdict.messageId);
    if (failure.cause === 'message') return;
    const failures = await countFailures(em, debt.id);
    if (failure.cause === 'passing' && failures >= FAILURES_OF_ONE_STEP) return;
    const backOffMs =
      failure.cause === 'sender' ? SENDER_RETRY_MS : Math.min(RETRY_FIRST_MS * 4 ** (failures - 1), RETRY_LONGEST_MS);
    const nextAt = new Date(verdict.at + Math.max(backOffMs, failure.retryAfterMs ?? 0));
    await setStepBack(em, debt.id, debt.step, nextAt);
  });
}
