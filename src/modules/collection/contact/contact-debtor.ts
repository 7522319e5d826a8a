import { isLive } from '../../../kernel/debt-status.ts';
import type { DebtTask, KnownContact } from '../../debts/rules/debt-task.ts';
import type { KnowingStep } from '../../debts/rules/next-step.ts';
import { type DebtContext, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { nextStepIn, nextStepOf } from '../../debts/use-cases/next-step.ts';
import type { AgentMessage } from '../../messaging/ports/collection-agent.ts';
import { maySendPix } from '../../messaging/use-cases/attempt-to-send.ts';
import { type PixOfMessage, SEND_WITHIN_MS } from '../../messaging/use-cases/booked-message.ts';
import { factsOf, type OtherDebts } from '../../messaging/use-cases/debt-facts.ts';
import { sendBooked } from '../../messaging/use-cases/send-message.ts';
import { waitForSenderSlot } from '../../messaging/use-cases/wait-for-sender-slot.ts';
import { cancelCharges } from '../../payments/use-cases/cancel-charges.ts';
import { findOrMakeCharge } from '../../payments/use-cases/find-or-make-charge.ts';
import { pixForMessages } from '../../payments/use-cases/pix-of-message.ts';
import type { CollectionDeps } from '../deps.ts';
import { askGate, type GateVerdict } from '../gate/contact-gate.ts';
import { planAgain } from '../planning/plan-next-contact.ts';
import { setNextContact } from '../queries/contact-gate.ts';
import { recallForgotten } from '../recovery/recall-forgotten.ts';
import { type DueContact, prepareContact } from './due-contact.ts';
import { endAfterLast, undoContact } from './finish-contact.ts';
import { undoLateFailures } from './undo-late-failures.ts';

/** The contact keeps its step and comes when the sender has a turn; the gate then decides about that moment. */
const postpone = (deps: Pick<CollectionDeps, 'db'>, { clientId, id, step }: DebtContext, at: number) =>
  deps.db.tenant(clientId).transactional(async (tx) => {
    await lockDebts(tx, [id]);
    const debt = await loadDebt(tx, id);
    if (debt === null || !isLive(debt.status) || debt.step !== step) return;
    await setNextContact(tx, id, { nextContactAt: new Date(at), pausedAt: null });
  });

/** A text is composed again when the person's open debts have changed before the gate decided; rarely even once. */
const MAX_TEXTS = 3;

interface Asked {
  readonly message: AgentMessage;
  readonly pix: PixOfMessage | null;
  readonly verdict: GateVerdict;
  readonly notAfter: number;
}

/** Is called with each contact that was booked, before anything is sent. */
type Announce = (contact: KnownContact) => void;

/** Makes the next contact of a debt if it is due and the gate allows it, and returns what the workflow does next. */
export const contactDebtor =
  (deps: CollectionDeps) =>
  async (request: DebtTask, announce: Announce = () => {}): Promise<KnowingStep> => {
    const { clientId, debtId } = request;
    await recallForgotten(deps, request);
    let due = await prepareContact(deps, request);
    if (due === 'undelivered') {
      await undoLateFailures(deps, request);
      due = await prepareContact(deps, request);
    }
    if (due === 'outdated') {
      await planAgain(deps, request);
      due = await prepareContact(deps, request);
    }
    const made = due === null || typeof due === 'string' ? null : await contact(deps, request, due, announce);
    const step = made ?? (await nextStepOf(deps, clientId, debtId));
    if (step.kind === 'finish' && step.status === 'STOPPED') await cancelCharges(deps.payments)({ clientId, debtId });
    return step;
  };

/** Returns the step after a message, or null when none was sent. */
async function contact(
  deps: CollectionDeps,
  request: DebtTask,
  { debt, open, charges, candidates, others, purpose, move, now, turns }: DueContact,
  announce: Announce,
): Promise<KnowingStep | null> {
  const { clientId, debtId, clock, attemptKey } = request;
  const waitMs = await waitForSenderSlot(deps, debt, candidates[0], debt.debtorPhone);
  if (waitMs > 0) {
    await postpone(deps, debt, now + waitMs);
    return null;
  }
  // The charge comes before the text and the gate, because a message is useless when its page has no code to pay.
  const charge = await findOrMakeCharge(deps.payments)({ clientId, debtId, known: { debt, charges }, at: now });
  // Whoever has never answered from this phone may be another person.
  const hasAnswered = turns.some(({ from }) => from === 'debtor');
  const mayHavePix = hasAnswered && candidates.some(maySendPix);
  const pixFor = await pixForMessages(deps.payments)(debt, mayHavePix ? charge : null);
  const ask = async (mentioned: OtherDebts | null) => {
    const facts = factsOf(debt, deps, { brCode: charge?.brCode ?? null, others: mentioned, at: now });
    const message = await deps.agent.compose(move, facts, turns);
    const draft = {
      purpose,
      text: message.text,
      short: message.short,
      ...ownOf(message),
      candidates,
      others: mentioned?.debts ?? [],
      composedFor: {
        contactsMade: debt.step,
        phone: debt.debtorPhone,
        owedCentavos: facts.amountCentavos,
        dueDate: debt.dueDate,
        seen: { debt, open },
        pageId: mentioned?.pageId ?? null,
      },
      attemptKey,
    };
    const { amountCentavos } = facts;
    const isOfOneDebt = facts.together === null;
    const growsDaily = facts.charged != null;
    const pix = isOfOneDebt
      ? pixFor({ amountCentavos, growsDaily, text: textOfProduct(message), template: message.template })
      : null;
    const notAfter = deps.now().getTime() + SEND_WITHIN_MS;
    return { message, pix, notAfter, verdict: await askGate(deps, request, clock, draft) };
  };
  let asked: Asked = await ask(others);
  for (let texts = 1; asked.verdict.kind === 'outdated' && texts < MAX_TEXTS; texts += 1) {
    asked = await ask(asked.verdict.others);
  }
  const { message, pix, verdict, notAfter } = asked;
  if (verdict.kind !== 'allowed') return null;
  const { text, short, template } = message;
  const { messageId: id, at, debts } = verdict;
  // If this process is killed now and the database is restored from an older backup, the next attempt still knows it.
  announce({ id, at });
  const alsoAbout = debts.map((each) => each.id).filter((each) => each !== debtId);
  const booked = {
    id,
    purpose,
    phone: debt.debtorPhone,
    text,
    short,
    template,
    at,
    notAfter,
    alsoAbout,
    ...ownOf(message),
    ...(pix === null ? {} : { pix }),
  } as const;
  return sendBooked(deps, debt, candidates, booked, async (tx, sending) => {
    if (sending.outcome !== 'failed') await endAfterLast(tx, deps, verdict);
    else await undoContact(tx, deps, verdict, sending);
    // Only an operator can repair a channel that refuses all messages of the client.
    return nextStepIn(tx, debtId, sending.outcome === 'failed' && sending.cause === 'sender');
  });
}

/** A channel that shows codes approves texts, and carries the product's own. */
const textOfProduct = ({ text, own }: AgentMessage): string => own?.productText ?? text;

const ownOf = ({ own }: AgentMessage): Pick<AgentMessage, 'own'> => (own === undefined ? {} : { own });
