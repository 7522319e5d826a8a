import type { Tx } from '../../../platform/database/tx.ts';
import { acceptanceOf, readAgreement, type StoredAgreement } from '../../agreements/queries/agreements.ts';
import type { StoredOffer } from '../../agreements/queries/offers.ts';
import { newestOffersPolicy } from '../../agreements/queries/offers-policies.ts';
import { agreedRest } from '../../agreements/rules/agreement-state.ts';
import type { Proposal } from '../../agreements/rules/offer-near.ts';
import { acceptOffer, activeAgreementOf } from '../../agreements/use-cases/accept-offer.ts';
import { answerProposal } from '../../agreements/use-cases/answer-proposal.ts';
import { findOrMakeOffers } from '../../agreements/use-cases/offers.ts';
import { personOfOffers, readPersonOfOffers } from '../../agreements/use-cases/person-of-offers.ts';
import { dayOfAgreement, statesOf } from '../../agreements/use-cases/read-agreements.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { OffersInTalk, Understanding } from '../../messaging/ports/collection-agent.ts';
import type { AgreementInWords, OffersAnswer } from '../../messaging/rules/offers-answer.ts';
import { listedIn } from '../../messaging/texts/offers.ts';
import { ledgerKeyOf, lockPersons } from '../../messaging/use-cases/contact-ledger.ts';
import type { CollectionDeps } from '../deps.ts';
import type { HeardTurn } from './hear-turn.ts';

/**
 * Returns the offers that an answer of the debtor may mean, or null where nothing is offered. Only our very last message
 * lists offers for a bare number: after another one the number may answer that. The first message of the turn may accept
 * what stood when it was written.
 */
export async function offersInTalk(
  tx: Tx,
  deps: CollectionDeps,
  { debt, messages, turns, fromStranger }: Pick<HeardTurn, 'debt' | 'messages' | 'turns' | 'fromStranger'>,
): Promise<OffersInTalk | null> {
  if (debt.erased || fromStranger) return null;
  const policy = (await newestOffersPolicy(tx, debt.clientId))?.policy ?? null;
  if (policy === null && debt.status !== 'AGREEMENT') return null;
  const { standing } = await readPersonOfOffers(tx, deps, debt, messages[0]?.at.getTime());
  const last = turns.at(-1);
  return {
    standing: standing.map(({ number, instalments }) => ({ number, instalments: instalments.length })),
    listed: last?.from === 'creditor' ? listedIn(last.text, standing) : [],
  };
}

/** What offers answer. Beside something that a person at the client has to see, a person answers it. */
const OF_OFFERS: readonly Intent[] = ['negotiate', 'propose', 'accept_offer'];
const FOR_A_PERSON: readonly Intent[] = ['opt_out', 'wrong_person', 'dispute', 'hardship', 'human'];

export interface TurnOfOffers {
  readonly debt: DebtContext;
  readonly understood: Understanding;
  /** The phone on which it was said. */
  readonly phone: string;
  /** The numbers of the offers that our last message has listed. */
  readonly listed: readonly number[];
  /** The messages of the turn. The newest one stands for what it has caused. */
  readonly messageIds: readonly string[];
  /** When the debtor first accepted an offer in it; null when nothing accepts one. */
  readonly acceptedAt: number | null;
}

/**
 * Does what the debtor has said about offers: lists them, makes the one that is nearest to a proposal, or accepts one.
 * Returns null when it is not about offers, or a person at the client has to look. It is idempotent.
 */
export async function answerOffers(tx: Tx, deps: CollectionDeps, turn: TurnOfOffers): Promise<OffersAnswer | null> {
  const { understood, debt } = turn;
  const { intent, also, proposal, offerNumber } = understood;
  if (debt.erased || [intent, ...also].some((one) => FOR_A_PERSON.includes(one))) return null;
  const before = await acceptanceIn(tx, debt, turn.messageIds);
  if (before !== null) return acceptedWords(before.agreement, before.words);
  if (!OF_OFFERS.includes(intent)) return null;
  const { id: debtId, clientId } = debt;
  // As for every request of the person, a contact that the gate is booking comes before what is done here.
  const key = ledgerKeyOf({ ...debt, debtorPhone: turn.phone }, deps.personKeys);
  await lockPersons(tx, [key]);
  const messageId = turn.messageIds.at(-1)!;
  if (intent === 'accept_offer' && offerNumber !== undefined) {
    const request = { clientId, debtId, offer: { number: offerNumber }, by: 'message', in: messageId } as const;
    const saidAt = turn.acceptedAt;
    const accepted = await acceptOffer(tx, deps, { ...request, ...(saidAt !== null && { saidAt }) });
    return accepted.kind === 'ended' ? list(tx, deps, debt, 'ended') : agreed(tx, accepted.agreementId, turn);
  }
  const person = await personOfOffers(tx, deps, { clientId, debtId });
  if (intent === 'propose' && proposal !== undefined) {
    const known = turn.messageIds.find((id) => person.standing.some((offer) => offer.id === id)) ?? messageId;
    const { listed } = turn;
    const offer = await answerProposal(tx, person, { clientId, proposal, listed, messageId: known });
    return offer === null ? null : { kind: 'near', to: nearTo(proposal), offers: [offer] };
  }
  if (understood.offerOpen !== undefined && (await activeAgreementOf(tx, person.debt.id)) !== undefined) {
    return { kind: 'agreed' };
  }
  return list(tx, deps, debt, understood.offerOpen ?? 'asked');
}

/** What the answer to a proposal speaks of. */
const nearTo = ({ monthlyCentavos, count, isCheaper }: Proposal): 'amount' | 'wish' | 'too_dear' => {
  if (monthlyCentavos !== undefined) return 'amount';
  return count === undefined && isCheaper === true ? 'too_dear' : 'wish';
};

interface Acceptance {
  readonly agreement: StoredAgreement;
  readonly words: string;
  readonly messageId: string;
}

/** Returns the agreement that one of these messages has made: an attempt before this one may have failed to answer. */
async function acceptanceIn(
  tx: Tx,
  { id: debtId, status }: Pick<DebtContext, 'id' | 'status'>,
  messageIds: readonly string[],
): Promise<Acceptance | null> {
  const agreement = status === 'AGREEMENT' ? await activeAgreementOf(tx, debtId) : undefined;
  if (agreement === undefined) return null;
  const { acceptedIn: messageId, acceptedText: words } = await acceptanceOf(tx, agreement.id);
  return messageId !== null && messageIds.includes(messageId) ? { agreement, words, messageId } : null;
}

/**
 * Returns the understanding of a turn that has made an agreement before: the offers that it was read with have ended by
 * it. A turn that has grown since is read anew, because what was added may ask for silence.
 */
export async function acceptedBefore(
  tx: Tx,
  debt: DebtContext,
  messageIds: readonly string[],
): Promise<Understanding | null> {
  const before = await acceptanceIn(tx, debt, messageIds);
  if (before === null || before.messageId !== messageIds.at(-1)) return null;
  return { intent: 'accept_offer', date: null, confidence: 1, also: [], topics: [], mentionsDeath: false };
}

/** Returns the words about the agreement that the turn has made before, which are owed also while staff answer. */
export async function acceptedBy(
  tx: Tx,
  debt: DebtContext,
  messageIds: readonly string[],
): Promise<OffersAnswer | null> {
  const before = await acceptanceIn(tx, debt, messageIds);
  return before === null ? null : acceptedWords(before.agreement, before.words);
}

async function agreed(tx: Tx, agreementId: string, { messageIds }: TurnOfOffers): Promise<OffersAnswer> {
  const { acceptedText, acceptedIn } = await acceptanceOf(tx, agreementId);
  const agreement = await readAgreement(tx, agreementId);
  const isNew = acceptedIn !== null && messageIds.includes(acceptedIn);
  return agreement !== undefined && isNew ? acceptedWords(agreement, acceptedText) : { kind: 'agreed' };
}

const acceptedWords = ({ protocol, totalCentavos, instalments }: StoredAgreement, words: string): OffersAnswer => ({
  kind: 'accepted',
  protocol,
  words,
  totalCentavos,
  first: instalments[0]!,
});

/** The most options that a message names. The page shows all of them. */
const MAX_LISTED = 3;
/** What a person at the client has offered comes first, and what answered a proposal has been said already. */
const MAKERS: readonly StoredOffer['madeBy'][] = ['staff', 'policy', 'proposal'];

async function list(
  tx: Tx,
  deps: CollectionDeps,
  { id: debtId, clientId }: DebtContext,
  because: 'asked' | 'ended' | 'unclear',
): Promise<OffersAnswer | null> {
  const { offers } = await findOrMakeOffers(tx, await personOfOffers(tx, deps, { clientId, debtId }));
  if (offers.length === 0) return null;
  const listed = offers
    .toSorted((one, other) => MAKERS.indexOf(one.madeBy) - MAKERS.indexOf(other.madeBy) || one.number - other.number)
    .slice(0, MAX_LISTED)
    .toSorted((one, other) => one.number - other.number);
  return { kind: 'list', because, offers: listed };
}

/** Returns the active agreement of a debt as texts name it. */
export async function agreementInWords(
  tx: Tx,
  deps: Pick<CollectionDeps, 'now'>,
  { id: debtId, status }: Pick<DebtContext, 'id' | 'status'>,
): Promise<AgreementInWords | null> {
  const agreement = status === 'AGREEMENT' ? await activeAgreementOf(tx, debtId) : undefined;
  if (agreement === undefined) return null;
  const states = statesOf(agreement, dayOfAgreement(agreement, deps.now().getTime()));
  const next = states.find(({ status }) => status !== 'APPROVED');
  return {
    protocol: agreement.protocol,
    restCentavos: agreedRest(agreement),
    count: states.length,
    next: next === undefined ? null : { number: next.number, dueDate: next.dueDate, amountCentavos: next.openCentavos },
    isLate: next?.status === 'LATE',
  };
}
