import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { asPersonSees, type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { askStaff, CLOSED_TO_REQUESTS } from '../../debts/use-cases/inbox-items.ts';
import type { Conversation, OffersInTalk, Understanding } from '../../messaging/ports/collection-agent.ts';
import { type ReceivedMessage, setApplied } from '../../messaging/queries/conversations.ts';
import { silencedSince } from '../../messaging/queries/suppressions.ts';
import type { OffersAnswer } from '../../messaging/rules/offers-answer.ts';
import { pageDisputeIn } from '../../messaging/rules/page-disputes.ts';
import { ledgerKeyOf } from '../../messaging/use-cases/contact-ledger.ts';
import { namesOtherPayment } from '../../payments/rules/other-payment.ts';
import { isPaidSoFar } from '../agreements/agreement-facts.ts';
import type { CollectionDeps } from '../deps.ts';
import { acceptedBy, answerOffers } from './answer-offers.ts';
import { type Applied, applyIntent, passClaimOn, saysPaid } from './apply-intent.ts';
import { askedAbout } from './facts-of-answer.ts';
import { asStranger, daysOfTurn, type HeardTurn } from './hear-turn.ts';
import { mayBeReceipt, textsToRead, type UnderstoodTurn, understandTurn } from './understand-turn.ts';

export interface TurnToApply extends Pick<HeardTurn, 'debt' | 'phone' | 'number' | 'fromStranger'> {
  readonly offers: OffersInTalk | null;
  /** What people wrote in the turn, of which an earlier try of the answer may have applied a part. */
  readonly written: readonly ReceivedMessage[];
  readonly heard: UnderstoodTurn;
  /** What the whole turn says. */
  readonly understood: Understanding;
  readonly conversationAt: (at: number) => Conversation;
  readonly staffAnswers: boolean;
  readonly now: number;
}

export interface AppliedTurn extends Applied {
  readonly offered: OffersAnswer | null;
  /** A person at the client has been told of a claim of payment. */
  readonly claimPassedOn: boolean;
  /** Silence was asked for after the turn was written, so that nothing answers it any more. */
  readonly isSilenced: boolean;
}

/**
 * Applies what a turn says, once: only its answer is tried again. Staff may decide about it meanwhile, and what the person
 * has added since takes effect by itself.
 */
export async function applyTurn(deps: CollectionDeps, turn: TurnToApply): Promise<AppliedTurn> {
  const { debt, phone, number, offers, written, heard, understood, staffAnswers, now } = turn;
  const { id: debtId, clientId } = debt;
  const db = deps.db.tenant(clientId);
  const added = written.filter(({ appliedAt }) => appliedAt === null);
  const said = await saidIn(deps, turn, added);
  const { applied, offered } = await db.transactional(async (tx) => {
    const messageIds = idsOf(written);
    const listed = offers?.listed ?? [];
    const mayAnswer = !turn.fromStranger && !heard.needsPerson;
    const found = !mayAnswer
      ? null
      : staffAnswers
        ? await acceptedBy(tx, debt, messageIds)
        : await answerOffers(tx, deps, { debt, understood, phone, listed, messageIds, acceptedAt: heard.acceptedAt });
    if (said === null) {
      return { applied: { debt: (await loadDebt(tx, debtId)) ?? debt, disputed: [] }, offered: found };
    }
    const disputed = { onPage: pageDisputeIn(added), text: said.disputesInWords ? textsToRead(added).join('\n') : '' };
    const { claimedAt } = said;
    const request = {
      understood: said.understood,
      disputed,
      phone,
      now,
      claimedAt,
      number,
      isAnswered: found !== null,
    };
    const result = await applyIntent(tx, deps, debtId, request);
    if (!turn.fromStranger && added.some(({ files }) => files.length > 0)) await askStaff(tx, debtId, 'attachment');
    return { applied: result, offered: found };
  });
  const after = saysPaid(understood) ? await askedAbout(deps, applied.debt, now) : applied.debt;
  return db.transactional(async (tx) => {
    const isKnown = after.status === 'AGREEMENT' && (await isPaidSoFar(tx, deps, after));
    const claimPassedOn = saysPaid(understood) && needsPersonFor(asPersonSees(after), written, isKnown);
    if (claimPassedOn && said !== null && saysPaid(said.understood)) {
      await passClaimOn(tx, deps, debtId, { phone, now });
    }
    await setApplied(tx, idsOf(added));
    return {
      ...applied,
      debt: after,
      offered,
      claimPassedOn,
      isSilenced: await isSilenced(tx, deps, turn),
    };
  });
}

/** Returns what the messages say that no try has applied yet; null when there are none. */
async function saidIn(
  deps: CollectionDeps,
  { written, heard, understood, fromStranger, conversationAt }: TurnToApply,
  added: readonly ReceivedMessage[],
): Promise<UnderstoodTurn | null> {
  if (added.length === 0) return null;
  if (added.length === written.length) return { ...heard, understood };
  const said = await understandTurn(deps.agent, daysOfTurn(added, conversationAt));
  return fromStranger ? { ...said, understood: asStranger(said.understood) } : said;
}

type Written = Pick<TurnToApply, 'debt' | 'phone' | 'written'>;

/** Whether the person, or whoever holds the phone, has asked for silence since the turn was written, or by it. */
export const hasAskedForSilence = (
  tx: Tx,
  { personKeys }: Pick<CollectionDeps, 'personKeys'>,
  { debt, phone, written }: Written,
): Promise<boolean> =>
  silencedSince(tx, ledgerKeyOf({ ...debt, debtorPhone: phone }, personKeys), written.at(-1)!.createdAt);

/**
 * Whether silence was asked for elsewhere since, about another debt or on a page: after the confirmation of that nothing
 * more is sent. A turn that asks for it itself is confirmed.
 */
export const isSilenced = async (
  tx: Tx,
  deps: Pick<CollectionDeps, 'personKeys'>,
  turn: Written & Pick<TurnToApply, 'understood'>,
): Promise<boolean> => {
  const { intent, also } = turn.understood;
  const asksItself = [intent, ...also].some((one) => one === 'opt_out' || one === 'wrong_person');
  return !asksItself && (await hasAskedForSilence(tx, deps, turn));
};

/**
 * Whether a person has to look at a claim of payment at once: the debtor names another way, day or place, or sends a
 * receipt, or the debt waits for no contact at whose moment the claim would be checked. What is known to be paid of an
 * agreement needs no check.
 */
const needsPersonFor = (debt: DebtContext, written: readonly ReceivedMessage[], isKnown: boolean): boolean =>
  !CLOSED_TO_REQUESTS.includes(debt.status) &&
  ((!isLive(debt.status) && !isKnown) || textsToRead(written).some(namesOtherPayment) || written.some(mayBeReceipt));

export const idsOf = (messages: readonly Pick<ReceivedMessage, 'id'>[]): string[] => messages.map(({ id }) => id);
