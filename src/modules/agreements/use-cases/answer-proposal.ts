import type { Tx } from '../../../platform/database/tx.ts';
import { proposalsAnswered, readOffer, type StoredOffer } from '../queries/offers.ts';
import { newestOffersPolicy } from '../queries/offers-policies.ts';
import { offerNear, type Proposal, standingNear } from '../rules/offer-near.ts';
import { offeredDebts } from '../rules/offered-debts.ts';
import { contextOf, storeOffers } from './offers.ts';
import type { PersonOfOffers } from './person-of-offers.ts';

export interface ProposalToAnswer {
  readonly proposal: Proposal;
  /** The numbers of the offers that our last message has listed. */
  readonly listed: readonly number[];
  /** The message that proposes it. Its offer has the same id, so that a repetition makes none again. */
  readonly messageId: string;
  readonly clientId: string;
}

/**
 * Returns the offer that comes nearest to the proposal of a person whose debts are locked: one that stands and is just
 * that, or a new one. Returns null when a person has to look: after as many answers as the policy gives, where nothing
 * is cheaper, and where nothing may be offered.
 */
export async function answerProposal(
  tx: Tx,
  person: PersonOfOffers,
  { proposal, listed, messageId, clientId }: ProposalToAnswer,
): Promise<StoredOffer | null> {
  const { policy, debts, debt, standing } = person;
  const offered = offeredDebts(policy, debts, debt.id);
  if (policy === null || offered.reason !== null) return null;
  // An attempt before this one has made the offer and then failed to answer.
  const known = await readOffer(tx, messageId);
  if (known !== undefined) return standing.find(({ id }) => id === known.id) ?? null;
  const { debtorTaxId, sandbox } = debt;
  const began = (await newestOffersPolicy(tx, clientId))?.removedIn ?? 0;
  if ((await proposalsAnswered(tx, { debtorTaxId, sandbox }, began)) >= policy.maxOffers) return null;
  const context = contextOf(person, policy, offered.debts);
  const shown = standing.filter(({ number }) => listed.includes(number));
  const stands = standingNear(context, { standing, shown }, proposal);
  if (stands !== null) return stands;
  const offer = offerNear(context, proposal, shown);
  if (offer === null) return null;
  const [stored] = await storeOffers(tx, person, { offers: [offer], madeBy: 'proposal', id: messageId });
  return stored!;
}
