import { hash, randomBytes, randomUUID } from 'node:crypto';
import { toReais } from '../../../kernel/money.ts';
import { makeProtocol, PROTOCOL_BYTES } from '../../../kernel/protocol.ts';
import { maskPhone } from '../../../kernel/texts/mask-phone.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { runCampaignAgain } from '../../debts/queries/campaign-changes.ts';
import { endPromise, endRequests } from '../../debts/queries/person-requests.ts';
import { moveLockedDebt } from '../../debts/use-cases/move-debt.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { SharedDeps } from '../../deps.ts';
import { setAgreementOfDebts } from '../queries/agreement-of-debts.ts';
import { agreementsOfDebt, insertAgreement, type StoredAgreement } from '../queries/agreements.ts';
import type { StoredOffer } from '../queries/offers.ts';
import { policyOfVersion } from '../queries/offers-policies.ts';
import type { AcceptedBy } from '../rules/acceptance.ts';
import { type AgreedTerms, acceptedText } from '../texts/accepted-text.ts';
import { type OfferDeps, type PersonOfOffers, personOfOffers } from './person-of-offers.ts';

export type AcceptDeps = OfferDeps & Pick<SharedDeps, 'workflows'>;

export interface Acceptance {
  readonly clientId: string;
  /** A debt of the person. */
  readonly debtId: string;
  /** The offer, by its id or by the number that the person names. */
  readonly offer: { readonly id: string } | { readonly number: number };
  readonly by: AcceptedBy;
  /** The message that accepts it, or the page on which it is accepted. */
  readonly in: string | null;
  /** When the debtor wrote that message, by the clock of the debt; absent where the acceptance is of this moment. */
  readonly saidAt?: number;
}

export type Accepted =
  | { readonly kind: 'accepted'; readonly agreementId: string }
  /** One of its debts has an agreement by now, perhaps by the same offer. */
  | { readonly kind: 'agreed'; readonly agreementId: string }
  /** The offer cannot be accepted any more, or never was one to this person. */
  | { readonly kind: 'ended' };

/**
 * Accepts an offer in the caller's transaction. The debts of the person are locked, so that of two acceptances at once the
 * second finds the agreement of the first, and an offer that ends meanwhile is not accepted.
 */
export async function acceptOffer(tx: Tx, deps: AcceptDeps, acceptance: Acceptance): Promise<Accepted> {
  const { clientId, debtId, by, saidAt } = acceptance;
  const person = await personOfOffers(tx, deps, { clientId, debtId }, saidAt);
  const offer = person.standing.find((one) =>
    'id' in acceptance.offer ? one.id === acceptance.offer.id : one.number === acceptance.offer.number,
  );
  if (offer === undefined) {
    const active = await activeAgreementOf(tx, person.debt.id);
    return active === undefined ? { kind: 'ended' } : { kind: 'agreed', agreementId: active.id };
  }
  const terms = await termsOf(tx, person, offer);
  const { text, breach, graceMoves } = terms;
  const rows = offer.debts.map((one) => person.rows.find(({ id }) => id === one.debtId)!);
  const [first] = rows;
  const id = randomUUID();
  const protocol = makeProtocol('AC', Number(person.today.slice(0, 4)), randomBytes(PROTOCOL_BYTES));
  await insertAgreement(
    tx,
    {
      id,
      clientId,
      debtId: first!.id,
      offerId: offer.id,
      sandbox: first!.sandbox,
      protocol,
      totalCentavos: offer.totalCentavos,
      discountCentavos: offer.discountCentavos,
      instalments: offer.instalments,
      breachAfterDays: breach.afterDays,
      afterBreach: breach.then,
      movesLeft: graceMoves,
      agreedOn: person.today,
      acceptedAt: new Date(saidAt ?? person.momentOf(person.debt.id)),
      nextAt: new Date(person.momentOf(person.debt.id)),
      acceptedBy: by,
      acceptedIn: acceptance.in,
      acceptedText: text,
      acceptedTextHash: hash('sha256', text),
      acceptedPhone: maskPhone(person.debt.debtorPhone),
    },
    offer.debts,
  );
  for (const row of rows) {
    const at = person.momentOf(row.id);
    await recordEntries(tx, row.id, at, [
      {
        kind: 'agreement_accepted',
        agreementId: id,
        protocol,
        acceptedBy: by,
        total: toReais(offer.totalCentavos),
        discount: toReais(offer.discountCentavos),
        instalments: offer.instalments.length,
      },
    ]);
    await moveLockedDebt(tx, deps.workflows, row, 'agreed', at);
    await runCampaignAgain(tx, row.campaignId);
    // Its workflow cancels the codes that ask for more than the agreement does, and rests.
    await addOutbox(tx, deps.workflows.wakeDebt(row, 'paymentNoticed', 'agreed'));
  }
  // The person has what was asked for.
  await endRequests(tx, first!.id, ['negotiate']);
  await endPromise(tx, first!.id);
  await setAgreementOfDebts(
    tx,
    rows.map((row) => row.id),
    id,
  );
  const clockOffsetMs = Math.max(...rows.map((row) => row.clockOffsetMs));
  const { sandbox } = first!;
  const clockHeld = rows.some((row) => row.clockHeld);
  await addOutbox(
    tx,
    deps.workflows.wakeAgreement({ id, clientId, sandbox, clockOffsetMs, clockHeld }, 'stateChanged'),
  );
  return { kind: 'accepted', agreementId: id };
}

/** What an offer promises, in the words that are shown before it is accepted. */
async function termsOf(tx: Tx, person: PersonOfOffers, offer: StoredOffer) {
  // Most offers are of the present policy, which is read already.
  const present = offer.policyVersion === person.policyVersion ? person.policy : null;
  const policy = present ?? (await policyOfVersion(tx, person.debt.clientId, offer.policyVersion));
  if (policy === null) throw new Error('An offer stands that no policy has made.');
  return { ...policy, text: acceptedText(agreedTerms(person, offer, policy.breach)) };
}

const agreedTerms = (
  { debt, rows }: Pick<PersonOfOffers, 'debt' | 'rows'>,
  offer: Pick<StoredOffer, 'debts' | 'totalCentavos' | 'discountCentavos' | 'instalments'>,
  breach: { readonly afterDays: number; readonly then: AgreedTerms['afterBreach'] },
): AgreedTerms => ({
  creditorName: debt.clientName,
  invoices: offer.debts.flatMap(({ debtId }) => rows.find(({ id }) => id === debtId)?.invoiceId ?? []),
  totalCentavos: offer.totalCentavos,
  discountCentavos: offer.discountCentavos,
  instalments: offer.instalments,
  breachAfterDays: breach.afterDays,
  afterBreach: breach.then,
});

/** Returns the words that a debtor reads before the acceptance of a standing offer, and that are stored by it. */
export const textOfOffer = async (tx: Tx, person: PersonOfOffers, offer: StoredOffer): Promise<string> =>
  (await termsOf(tx, person, offer)).text;

/** Returns the agreement that a debt has now. */
export const activeAgreementOf = async (tx: Tx, debtId: string): Promise<StoredAgreement | undefined> =>
  (await agreementsOfDebt(tx, debtId)).find(({ status }) => status === 'ACTIVE');
