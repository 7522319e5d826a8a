import type { Tx } from '../../../platform/database/tx.ts';
import { proposalsAnswered, readOffer, type StoredOffer } from '../queries/offers.ts';
import { newestOffersPolicy } from '../queries/offers-policies.ts';
import { offeredDebts } from '../rules/offered-debts.ts';
import { offerNear } from '../rules/offers.ts';
import { contextOf, storeOffers } from './offers.ts';
import type { PersonOfOffers } from './person-of-offers.ts';

export interface ProposedAmount {
  /** What the person can pay each month. */
  readonly centavos: number;
  /** The message that proposes it. Its offer has the same id, so that a repetition makes none again. */
  readonly messageId: string;
  readonly clientId: string;
}

/**
 * Makes the offer that comes nearest to the proposal of a person whose debts are locked. Returns null when a person has to
 * look: after as many answers as the policy gives, and where nothing may be offered.
 */
export async function answerProposal(
  tx: Tx,
  person: PersonOfOffers,
  { centavos, messageId, clientId }: ProposedAmount,
): Promise<StoredOffer | null> {
  const { policy, debts, debt } = person;
  const offered = offeredDebts(policy, debts, debt.id);
  if (policy === null || offered.reason !== null) return null;
  // An attempt before this one has made the offer and then failed to answer.
  const known = await readOffer(tx, messageId);
  if (known !== undefined) return person.standing.find(({ id }) => id === known.id) ?? null;
  const { debtorTaxId, sandbox } = debt;
  const began = (await newestOffersPolicy(tx, clientId))?.removedIn ?? 0;
  const answers = await proposalsAnswered(tx, { debtorTaxId, sandbox }, began);
  const offer = offerNear(contextOf(person, policy, offered.debts), centavos, answers);
  if (offer === null) return null;
  const [stored] = await storeOffers(tx, person, { offers: [offer], madeBy: 'proposal', id: messageId });
  return stored!;
}
