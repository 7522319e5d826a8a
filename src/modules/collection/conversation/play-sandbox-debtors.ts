import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import type { SandboxOutboxStore } from '../../messaging/ports/sandbox-store.ts';
import { receiveMessage } from '../../messaging/use-cases/receive-message.ts';
import {
  ADD_SANDBOX_ACT,
  DUE_SANDBOX_ACTS,
  FINISH_SANDBOX_ACT,
  LEASE_SANDBOX_ACT,
} from '../../payments/queries/sandbox-acts.ts';
import { payAsDebtor } from '../../payments/use-cases/pay-in-sandbox.ts';
import type { CollectionDeps } from '../deps.ts';
import { actAfter, withMonthlyAmount } from '../rules/sandbox-debtor.ts';

const ACTS_PER_RUN = 50;

type PlayerDeps = Pick<CollectionDeps, 'db' | 'now' | 'workflows' | 'payments'>;

/** Wraps the sandbox outbox: each message to a simulated debtor also stores the act by which that debtor reacts. */
export const createReadOutbox = (db: CollectionDeps['db'], outbox: SandboxOutboxStore): SandboxOutboxStore => ({
  async insert(item) {
    const act = item.debtId === null ? null : actAfter(item);
    // The act is stored before the message, because the message is never sent again: after a crash between the two the
    // debtor still acts.
    if (act !== null && item.debtId !== null) {
      const text = act.kind === 'say' ? act.text : act.once;
      const { clientId, debtId } = item;
      await db.writePrepared({ clientId }, ADD_SANDBOX_ACT, { clientId, debtId, kind: act.kind, text, phone: item.to });
    }
    await outbox.insert(item);
  },
});

/** Performs the due acts of simulated debtors and returns their number. */
export const playSandboxDebtors = (deps: PlayerDeps) => async (): Promise<number> => {
  const due = await deps.db.runUnscoped(DUE_SANDBOX_ACTS, { limit: ACTS_PER_RUN });
  for (const act of due) await play(deps, act);
  return due.length;
};

/** What a debtor proposes to pay each month depends on the debt, as it is when the debtor speaks. */
async function saidBy({ db }: PlayerDeps, { clientId, debtId, text }: DueAct): Promise<string> {
  const debt = await db.tenant(clientId).transactional((tx) => loadDebt(tx, debtId));
  return withMonthlyAmount(text ?? '', debt?.amountCentavos ?? 0);
}

type DueAct = ReturnType<typeof DUE_SANDBOX_ACTS.rowsOf>[number];

async function play(deps: PlayerDeps, act: DueAct): Promise<void> {
  const { id, clientId } = act;
  const [leased] = await deps.db.writePrepared({ clientId }, LEASE_SANDBOX_ACT, { id });
  if (leased === undefined) return;
  if (act.kind === 'say') {
    await receiveMessage(deps)({
      clientId: act.clientId,
      debtId: act.debtId,
      channel: 'sandbox',
      phone: act.phone ?? undefined,
      channelMessageId: `act_${act.id}`,
      text: await saidBy(deps, act),
    });
  } else {
    await payAsDebtor(deps.payments)({ clientId: act.clientId, debtId: act.debtId });
  }
  await deps.db.writePrepared({ clientId }, FINISH_SANDBOX_ACT, { id });
}
