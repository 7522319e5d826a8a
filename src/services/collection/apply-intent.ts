import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/add-outbox.ts';
import {
  closePages,
  debtsOfPersonIn,
  debtsOnPhone,
  setPromise,
  setSaidPaid,
  setWrongPerson,
} from '../../db/queries/conversations.ts';
import { type DebtEvent, type DebtStatus, isLive, LIVE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import type { InboxReason } from '../../domain/inbox-reasons.ts';
import type { Intent } from '../../domain/intents.ts';
import { namedDebts } from '../../domain/named-debts.ts';
import type { Understanding } from '../../ports/collection-agent.ts';
import { debtNow } from '../debts/clock.ts';
import { type DebtContext, loadDebt, lockDebtsOfPerson } from '../debts/debt-context.ts';
import { askStaff } from '../debts/inbox-items.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { ledgerKeyOf, lockPersons, releaseReservations } from '../messaging/contact-ledger.ts';
import { isWrongPhone, type SuppressionKey, suppress } from '../messaging/suppressions.ts';
import type { CollectionDeps } from './deps.ts';
import { startUnplanned } from './start-unplanned.ts';
import { useNextPhone } from './use-next-phone.ts';

/** The event that the main intent of a message causes. Other intents are answered and change no status. */
const MOVES: Partial<Record<Intent, DebtEvent>> = {
  wrong_person: 'wrong_person',
  opt_out: 'opted_out',
  dispute: 'disputed',
  hardship: 'held',
  human: 'held',
  negotiate: 'held',
};

const REQUESTS = ['hardship', 'human', 'negotiate'] as const satisfies readonly (Intent & InboxReason)[];
const isRequest = (intent: Intent): intent is (typeof REQUESTS)[number] =>
  (REQUESTS as readonly Intent[]).includes(intent);

/** The other debts of the person to which a request applies. A debt that has ended is not opened again by it. */
const OPEN: readonly DebtStatus[] = ['IMPORTED', ...LIVE_DEBT_STATUSES];
const OPEN_OR_HELD: readonly DebtStatus[] = [...OPEN, 'ON_HOLD'];

/** A claim of payment is checked with the provider also when it is not the main intent. */
export const saysPaid = ({ intent, also }: Understanding): boolean =>
  intent === 'already_paid' || also.includes('already_paid');

export interface Request {
  readonly understood: Understanding;
  /** What the debtor wrote, which may name one of several debts. */
  readonly text: string;
  /** The phone on which it was said. */
  readonly phone: string;
  readonly now: number;
  /** The number to which it was said, when several clients may share it. */
  readonly number: string | null;
}

export interface Applied {
  readonly debt: DebtContext;
  /** The debts that were disputed; empty unless the message names some of several. */
  readonly disputed: readonly DebtContext[];
}

/**
 * Applies what the debtor asks for, to all open debts that the person has with the client, whatever the status of the
 * debt. The function is idempotent.
 */
export async function applyIntent(
  em: EntityManager,
  deps: CollectionDeps,
  debtId: string,
  request: Request,
): Promise<Applied> {
  const seen = await loadDebt(em, debtId);
  if (seen === null) throw new Error('The debt does not exist.');
  const { understood, phone, now, number } = request;
  const { intent, also, date } = understood;
  const key = { ...ledgerKeyOf({ ...seen, debtorPhone: phone }, deps.personKeys), sender: number };
  // The gate takes the same lock, so a contact that it is booking for this person counts as booked before the request.
  await lockPersons(em, [key]);
  await lockDebtsOfPerson(em, seen);
  const optsOut = intent === 'opt_out' || also.includes('opt_out');
  // An opt-out counts beside any other intent. A wrong person, which ends a debt for good, counts only as the main
  // intent: another person on this phone who opts out silences the phone, because the debtor has asked for nothing.
  if (intent === 'wrong_person') await giveUpPhone(em, deps, seen, key, request);
  else if (optsOut) await suppress(em, 'opt_out', key);
  if (intent === 'wrong_person' && optsOut) await suppress(em, 'phone_opt_out', key);
  const debt = (await loadDebt(em, debtId)) ?? seen;
  const event = intent !== 'wrong_person' && optsOut ? 'opted_out' : MOVES[intent];
  const others = await debtsOfPersonIn(em, debt, event === 'disputed' ? OPEN_OR_HELD : OPEN);
  const disputed = event === 'disputed' ? namedDebts(request.text, [debt, ...others]) : [];
  const isMeant = (each: DebtContext) => {
    if (event === 'wrong_person') return endsWithPhone(each, request);
    return disputed.length === 0 || disputed.some(({ identityId }) => identityId === each.identityId);
  };
  if (intent !== 'wrong_person' && saysPaid(understood)) {
    for (const each of [debt, ...others]) await setSaidPaid(em, each.id, new Date(momentFor(deps, each, debt, now)));
  }
  for (const each of [debt, ...others].filter(isMeant)) {
    const at = momentFor(deps, each, debt, now);
    if (event !== undefined) {
      await move(em, deps, each, event, { at, wake: each !== debt });
      // The answer says that the request was passed on, also where the status does not change.
      if (event === 'held' && isRequest(intent)) await askStaff(em, each.id, intent);
    } else if (intent === 'promise' && date !== null) {
      await moveDebt(em, deps.workflows, each.id, 'promised', at);
      if (each !== debt) await startUnplanned(em, deps, each);
      // The date is stored also when the status stays (draft, dispute, hold), because a resumed collection has to wait
      // for that day.
      await setPromise(em, each.id, date);
    }
  }
  return { debt: (await loadDebt(em, debtId)) ?? debt, disputed: others.length === 0 ? [] : disputed };
}

/** A wrong number ends the debts that have no other phone in use by now. News of a death ends all that have the number. */
const endsWithPhone = ({ debtorPhone, phones }: DebtContext, { understood, phone }: Request): boolean =>
  debtorPhone === phone || (understood.mentionsDeath && phones.includes(phone));

/**
 * Never uses the phone for this person again: each debt goes on with its next phone where it has one, except after news
 * of a death. Whoever holds the phone may have the addresses of the pages, so they change.
 */
async function giveUpPhone(
  em: EntityManager,
  deps: CollectionDeps,
  debt: DebtContext,
  key: SuppressionKey,
  { understood, phone, now }: Request,
): Promise<void> {
  if (!(await isWrongPhone(em, key))) await closePages(em, debt);
  await suppress(em, 'wrong_person', key);
  for (const each of understood.mentionsDeath ? [] : await debtsOnPhone(em, debt, phone)) {
    const isAnswered = each.id === debt.id;
    const at = isAnswered ? now : debtNow(each.clockOffsetMs, deps.now().getTime());
    const handedOver = await useNextPhone(em, deps, each, { problem: 'wrong_person', at });
    // The timer of another debt's workflow is set to a later moment.
    if (handedOver && !isAnswered && isLive(each.status)) {
      await addOutbox(em, deps.workflows.wakeDebt(each, 'stateChanged'));
    }
  }
  await setWrongPerson(em, debt, { phone, orListed: understood.mentionsDeath });
}

/** An event is dated by the clock of the debt that it happens to, because the clocks of sandbox debts differ. */
const momentFor = (deps: CollectionDeps, each: DebtContext, debt: DebtContext, now: number): number =>
  each === debt ? now : debtNow(each.clockOffsetMs, deps.now().getTime());

async function move(
  em: EntityManager,
  deps: CollectionDeps,
  debt: DebtContext,
  event: DebtEvent,
  { at, wake }: { readonly at: number; readonly wake: boolean },
): Promise<void> {
  await moveDebt(em, deps.workflows, debt.id, event, at);
  await releaseReservations(em, [debt.id]);
  // A debt that ends has to end its workflow. A held debt is found held when its timer fires.
  const ends = event === 'opted_out' || event === 'wrong_person';
  if (wake && ends && isLive(debt.status)) await addOutbox(em, deps.workflows.wakeDebt(debt, 'stateChanged'));
}
