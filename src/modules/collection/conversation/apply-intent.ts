import { type DebtStatus, type DebtTransition, isLive, LIVE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { openRequests, storeTold } from '../../debts/queries/person-requests.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import { namedDebts } from '../../debts/rules/named-debts.ts';
import { type PersonRequest, reasonOfRequest } from '../../debts/rules/person-requests.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { asPersonSees, type DebtContext, loadDebt, lockDebtsOfPerson } from '../../debts/use-cases/debt-context.ts';
import { askStaff, CLOSED_TO_REQUESTS, wakeAgreementsOf } from '../../debts/use-cases/inbox-items.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import type { Understanding } from '../../messaging/ports/collection-agent.ts';
import { closePages, debtsOfPersonIn, debtsOnPhone, setWrongPerson } from '../../messaging/queries/conversations.ts';
import type { PageDispute } from '../../messaging/rules/page-disputes.ts';
import { ledgerKeyOf, lockPersons, releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { isWrongPhone, type SuppressionKey, suppress } from '../../messaging/use-cases/suppressions.ts';
import { isPaidSoFar } from '../agreements/agreement-facts.ts';
import { stopAgreements, stopReasonOf } from '../agreements/stop-agreements.ts';
import type { CollectionDeps } from '../deps.ts';
import { startUnplanned } from '../gate/book-contact.ts';
import { holdForPerson } from '../gate/hold-debt.ts';
import { useNextPhone } from '../gate/use-next-phone.ts';

/** The transition that the main intent of a message causes. Other intents are answered and change no status. */
const MOVES: Partial<Record<Intent, DebtTransition>> = {
  wrong_person: 'wrong_person',
  opt_out: 'opted_out',
  dispute: 'disputed',
  hardship: 'held',
  human: 'held',
  negotiate: 'held',
  propose: 'held',
  accept_offer: 'held',
};

const REQUESTS = ['hardship', 'human', 'negotiate'] as const satisfies readonly (Intent & PersonRequest)[];
/** What offers could not answer is asked of a person. */
const OF_OFFERS: readonly Intent[] = ['negotiate', 'propose', 'accept_offer'];

/** The other debts of the person to which a request applies. A debt that has ended is not opened again by it. */
const OPEN: readonly DebtStatus[] = ['IMPORTED', ...LIVE_DEBT_STATUSES];
const OPEN_OR_HELD: readonly DebtStatus[] = [...OPEN, 'ON_HOLD'];

/** A claim of payment is checked with the provider also when it is not the main intent. */
export const saysPaid = ({ intent, also }: Understanding): boolean =>
  intent === 'already_paid' || also.includes('already_paid');

export interface Request {
  readonly understood: Understanding;
  /** What names the debts of a dispute, when it is one. */
  readonly disputed: DisputeSaid;
  /** The phone on which it was said. */
  readonly phone: string;
  readonly now: number;
  /** When the debtor last said that it is paid, perhaps long before it is answered; null when nothing says so. */
  readonly claimedAt: number | null;
  /** The number to which it was said, when several clients may share it. */
  readonly number: string | null;
  /** Offers have answered the message, so that no person has to. */
  readonly isAnswered: boolean;
}

export interface DisputeSaid {
  /** What the debtor wrote, which may name some of several debts. */
  readonly text: string;
  readonly onPage: PageDispute | null;
}

export interface Applied {
  readonly debt: DebtContext;
  /** The debts that were disputed; empty unless the turn names some of several. */
  readonly disputed: readonly DebtContext[];
}

/**
 * What the person asks a person at the client for. An opt-out ends the messages and decides nothing else, so a request
 * that comes with it is passed on too. Besides an opt-out, only the main intent of a message counts.
 */
function requestsIn({ intent, also, mentionsDeath }: Understanding, optsOut: boolean): PersonRequest[] {
  if (intent === 'wrong_person') return mentionsDeath ? ['death'] : [];
  const said = optsOut ? [intent, ...also] : [intent];
  const asked = said.some((each) => OF_OFFERS.includes(each)) ? [...said, 'negotiate'] : said;
  return REQUESTS.filter((request) => asked.includes(request));
}

/**
 * Applies what the debtor asks for. A dispute is about the debts that it names; everything else is kept for the person,
 * and applied to all open debts that the person has with the client, whatever the status of the debt. The function is
 * idempotent.
 */
export async function applyIntent(tx: Tx, deps: CollectionDeps, debtId: string, request: Request): Promise<Applied> {
  const seen = await loadDebt(tx, debtId);
  if (seen === null) throw new Error('The debt does not exist.');
  const { understood, phone, now, claimedAt, number } = request;
  const { intent, also, date } = understood;
  const key = { ...ledgerKeyOf({ ...seen, debtorPhone: phone }, deps.personKeys), sender: number };
  // The gate takes the same lock, so a contact that it is booking for this person counts as booked before the request.
  await lockPersons(tx, [key]);
  await lockDebtsOfPerson(tx, seen);
  const optsOut = intent === 'opt_out' || also.includes('opt_out');
  // An opt-out counts beside any other intent. A wrong person, which ends a debt for good, counts only as the main
  // intent: another person on this phone who opts out silences the phone, because the debtor has asked for nothing.
  if (intent === 'wrong_person') await giveUpWrongPhone(tx, deps, seen, key, request);
  else if (optsOut) await suppress(tx, 'opt_out', key);
  if (intent === 'wrong_person' && optsOut) await suppress(tx, 'phone_opt_out', key);
  const debt = (await loadDebt(tx, debtId)) ?? seen;
  const requests = request.isAnswered ? [] : requestsIn(understood, optsOut);
  const isDeath = requests.includes('death');
  const moves = request.isAnswered ? undefined : MOVES[intent];
  const transition = isDeath ? 'held' : intent !== 'wrong_person' && optsOut ? 'opted_out' : moves;
  const isDisputed = transition === 'disputed' || (transition === 'opted_out' && [intent, ...also].includes('dispute'));
  const others = await debtsOfPersonIn(tx, debt, isDisputed ? OPEN_OR_HELD : OPEN);
  const named = isDisputed ? debtsOfDispute(request.disputed, debt, others) : [];
  const isNamed = (each: DebtContext): boolean =>
    named.length === 0 || named.some(({ identityId }) => identityId === each.identityId);
  const isMeant = (each: DebtContext): boolean => {
    if (transition === 'wrong_person') return endsWithPhone(each, phone);
    return transition === 'opted_out' ? each === debt || OPEN.includes(each.status) : isNamed(each);
  };
  const isAsked = [asPersonSees(debt), ...others].some(({ status }) => !CLOSED_TO_REQUESTS.includes(status));
  if (isAsked) await openRequests(tx, debt, requests);
  const isClaim = intent !== 'wrong_person' && saysPaid(understood) && debt.status !== 'PAID';
  if (isClaim && claimedAt !== null && isAsked && !(await isPaidSoFar(tx, deps, debt))) {
    // By the clock of each debt the claim is as old, so that its silence is not shorter for any of them.
    const moments = [debt, ...others].map((each) => claimedAt + each.clockOffsetMs - debt.clockOffsetMs);
    await storeTold(tx, debt, { saidPaidAt: new Date(Math.max(...moments)) });
  }
  for (const each of [debt, ...others]) {
    const at = momentFor(deps, each, debt, now);
    if (transition === 'held') await holdForPerson(tx, deps, each, { requests, at });
    else if (transition !== undefined && isMeant(each))
      await move(tx, deps, each, transition, { at, wake: each !== debt });
    // The answer says that the request was passed on, also where the status does not change.
    if (transition === 'opted_out' && isMeant(each)) {
      for (const asked of requests) await askStaff(tx, each.id, reasonOfRequest(asked));
    }
    if (transition === 'opted_out' && isDisputed && isNamed(each)) await askStaff(tx, each.id, 'disputed');
    if (transition === undefined && intent === 'promise' && date !== null) {
      await moveDebt(tx, deps.workflows, each.id, 'promised', at);
      if (each !== debt) await startUnplanned(tx, deps, each);
    }
  }
  const because = stopReasonOf(understood);
  if (because !== null) await stopAgreements(tx, deps, debt, { because, at: now });
  // The date is stored also when the status stays (draft, dispute, hold), because a resumed collection has to wait for it.
  if (transition === undefined && intent === 'promise' && date !== null && isAsked) {
    await storeTold(tx, debt, { promisedFor: date });
  }
  const disputed = transition === 'disputed' && others.length > 0 ? named : [];
  return { debt: (await loadDebt(tx, debtId)) ?? debt, disputed };
}

/** Returns the debts that a dispute is about; none when it is about all. The button of a debt's page names this debt. */
function debtsOfDispute({ onPage, text }: DisputeSaid, debt: DebtContext, others: readonly DebtContext[]) {
  if (onPage === 'all') return [];
  const named = namedDebts(text, [debt, ...others]);
  return onPage === 'one' && !named.includes(debt) ? [debt, ...named] : named;
}

/**
 * The person names another way, day or place of the payment, or the debt waits for no message at whose moment the claim
 * would be checked: a person at the client has to look now, and nothing is sent before.
 */
export async function passClaimOn(
  tx: Tx,
  deps: CollectionDeps,
  debtId: string,
  { phone, now }: Pick<Request, 'phone' | 'now'>,
): Promise<void> {
  const seen = await loadDebt(tx, debtId);
  if (seen === null) return;
  await lockPersons(tx, [ledgerKeyOf({ ...seen, debtorPhone: phone }, deps.personKeys)]);
  await lockDebtsOfPerson(tx, seen);
  const debt = (await loadDebt(tx, debtId)) ?? seen;
  if (CLOSED_TO_REQUESTS.includes(asPersonSees(debt).status)) return;
  await openRequests(tx, debt, ['said_paid']);
  await wakeAgreementsOf(tx, deps.workflows, debt);
  for (const each of [debt, ...(await debtsOfPersonIn(tx, debt, OPEN))]) {
    await holdForPerson(tx, deps, each, { requests: ['said_paid'], at: momentFor(deps, each, debt, now) });
  }
}

/** A transition is dated by the clock of the debt that it happens to, because the clocks of sandbox debts differ. */
const momentFor = (deps: CollectionDeps, each: DebtContext, debt: DebtContext, now: number): number =>
  each === debt ? now : debtNow(each.clockOffsetMs, deps.now().getTime());

async function move(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  transition: DebtTransition,
  { at, wake }: { readonly at: number; readonly wake: boolean },
): Promise<void> {
  await moveDebt(tx, deps.workflows, debt.id, transition, at);
  await releaseReservations(tx, [debt.id]);
  // A debt that ends has to end its workflow. A held debt is found held when its timer fires.
  const ends = transition === 'opted_out' || transition === 'wrong_person';
  if (wake && ends && isLive(debt.status)) await addOutbox(tx, deps.workflows.wakeDebt(debt, 'stateChanged'));
}

interface Report {
  readonly understood: Understanding;
  readonly phone: string;
  readonly now: number;
}

/** A wrong number ends the debts that have no other phone in use by now. */
const endsWithPhone = ({ debtorPhone }: DebtContext, phone: string): boolean => debtorPhone === phone;

/**
 * Never uses the phone for this person again: each debt goes on with its next phone where it has one, except after news
 * of a death. Whoever holds the phone may have the addresses of the pages, so they change.
 */
async function giveUpWrongPhone(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  key: SuppressionKey,
  { understood, phone, now }: Report,
): Promise<void> {
  if (!(await isWrongPhone(tx, key))) await closePages(tx, debt);
  await suppress(tx, 'wrong_person', key);
  for (const each of understood.mentionsDeath ? [] : await debtsOnPhone(tx, debt, phone)) {
    const isAnswered = each.id === debt.id;
    const at = isAnswered ? now : debtNow(each.clockOffsetMs, deps.now().getTime());
    const handedOver = await useNextPhone(tx, deps, each, { problem: 'wrong_person', at });
    // The timer of another debt's workflow is set to a later moment.
    if (handedOver && !isAnswered && isLive(each.status)) {
      await addOutbox(tx, deps.workflows.wakeDebt(each, 'stateChanged', 'phone changed'));
    }
  }
  await setWrongPerson(tx, debt, { phone, orListed: understood.mentionsDeath });
}
