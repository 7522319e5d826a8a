import { daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { isOwed } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import { areaCodeOf, placeOfAll } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtsOnPage } from '../../debts/queries/persons.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebtsOfPerson } from '../../debts/use-cases/debt-context.ts';
import { debtorDay, indebtedFor, owedNow } from '../../debts/use-cases/owed.ts';
import type { SharedDeps } from '../../deps.ts';
import { prescribedFrom } from '../../policy/rules/debt-limits.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import type { DebtorCalendar } from '../../terms/rules/counted-days.ts';
import { hasOptedOut, inOrderOfImport, lastOfferNumber, offersUntil, type StoredOffer } from '../queries/offers.ts';
import { newestOffersPolicy } from '../queries/offers-policies.ts';
import type { OfferableDebt } from '../rules/offered-debts.ts';
import type { OffersPolicy } from '../rules/offers-policy.ts';
import { type DebtBasis, stands } from '../rules/standing-offers.ts';

export type OfferDeps = Pick<SharedDeps, 'db' | 'now' | 'policy' | 'personKeys'>;

export type DebtToday = OfferableDebt & DebtBasis;

/** What decides about the offers to a person, whose debts are locked. */
export interface PersonOfOffers {
  /** The last row, of the person, of the debt for which offers are asked. */
  readonly debt: DebtContext;
  /**
   * The day of the debt's own clock; of several debts in the sandbox, of the clock that is furthest ahead. Where the
   * person has said earlier what is decided about, the day on which that was said.
   */
  readonly today: LocalDate;
  readonly calendar: DebtorCalendar;
  readonly policy: OffersPolicy | null;
  readonly policyVersion: number;
  readonly debts: readonly DebtToday[];
  /** The debts that are neither paid nor given up, as they are stored. */
  readonly rows: readonly DebtContext[];
  /** The offers that can still be accepted, in the order of their numbers. */
  readonly standing: readonly StoredOffer[];
  readonly nextNumber: number;
  /** When an offer was made, by the clock of each debt. */
  readonly momentOf: (debtId: string) => number;
}

/**
 * Reads what decides about the offers to the person of a debt. It locks the person's debts first, so that requests at the
 * same time make one set of offers, and none is made while a payment or a request of the person is being stored.
 */
export async function personOfOffers(
  tx: Tx,
  deps: OfferDeps,
  { clientId, debtId }: { readonly clientId: string; readonly debtId: string },
  saidAt?: number,
): Promise<PersonOfOffers> {
  const seen = await loadDebt(tx, debtId);
  if (seen === null) throw new AppError('not_found');
  const { debtorTaxId, sandbox } = seen;
  const person = { clientId, debtorTaxId, sandbox };
  // Erased debts of different persons have the same empty CPF, and nothing is offered about them.
  if (!seen.erased) await lockDebtsOfPerson(tx, person);
  return readPersonOfOffers(tx, deps, (await loadDebt(tx, debtId)) ?? seen, saidAt);
}

/**
 * Reads the same without a lock, where nothing is decided by it yet. `saidAt` is the moment, by the clock of the debt, at
 * which the person wrote what is answered only now: an offer ends after its last day, whenever its acceptance is read.
 * Everything else counts as it is now.
 */
export async function readPersonOfOffers(
  tx: Tx,
  deps: OfferDeps,
  seen: DebtContext,
  saidAt?: number,
): Promise<PersonOfOffers> {
  const debt = seen.rowOfPerson === seen.id ? seen : ((await loadDebt(tx, seen.rowOfPerson)) ?? seen);
  const { clientId, debtorTaxId, sandbox } = debt;
  const person = { clientId, debtorTaxId, sandbox };
  const owed = debt.erased ? [] : (await debtsOnPage(tx, person)).filter(isOwed);
  const realNow = deps.now().getTime();
  const at = Math.max(...[debt, ...owed].map(({ clockOffsetMs }) => debtNow(clockOffsetMs, realNow)));
  const agoMs = saidAt === undefined ? 0 : debtNow(seen.clockOffsetMs, realNow) - saidAt;
  const today = debtorDay(debt, at - agoMs);
  const newest = await newestOffersPolicy(tx, clientId);
  const order = await inOrderOfImport(
    tx,
    owed.map(({ id }) => id),
  );
  const personKey = deps.personKeys.person(debtorTaxId);
  const optedOut = owed.length > 0 && (await hasOptedOut(tx, { clientId, sandbox, personKey }));
  const debts = owed.map((one) => debtToday(deps, one, { at, optedOut, importedAs: order.indexOf(one.id) }));
  const made = debt.erased ? [] : await offersUntil(tx, person, today);
  return {
    debt,
    today,
    calendar: indebtedFor(debt, deps.policy.holidays).calendar,
    policy: newest?.policy ?? null,
    policyVersion: newest?.version ?? 0,
    debts,
    rows: owed,
    standing: made.filter((offer) => stands(offer, { today, debts, removedIn: newest?.removedIn ?? 0 })),
    nextNumber: debt.erased ? 1 : (await lastOfferNumber(tx, person)) + 1,
    momentOf: (id) => debtNow(owed.find((one) => one.id === id)?.clockOffsetMs ?? 0, realNow),
  };
}

/** Returns what a debt is on the day of a moment. */
export function debtToday(
  deps: Pick<OfferDeps, 'policy' | 'now'>,
  debt: DebtContext,
  { at, optedOut, importedAs }: { readonly at: number; readonly optedOut: boolean; readonly importedAs: number },
): DebtToday {
  const { principal, fine, interest, correction, paid, on } = owedNow(deps, debt, at);
  return {
    debtId: debt.id,
    status: debt.status,
    importedAs,
    dueDate: debt.dueDate,
    daysLate: daysBetween(debt.dueDate, on),
    principalCentavos: principal,
    chargesCentavos: fine + interest + correction,
    originalCentavos: debt.agreed?.shareCentavos ?? debt.amountCentavos,
    paidCentavos: paid,
    prescribed: isPrescribed(deps, debt, at),
    hardship: debt.requests.includes('hardship'),
    optedOut,
    died: debt.requests.includes('death'),
    clientCancelled: debt.clientStatus === 'CANCELLED',
  };
}

/** Returns whether the debt is prescribed by the rules that forbid to contact the debtor about it. */
export function isPrescribed({ policy }: Pick<OfferDeps, 'policy'>, debt: DebtContext, at: number): boolean {
  const place = placeOfAll(areaCodeOf(debt.debtorPhone), debt.phones.map(areaCodeOf));
  const rules = bindingPack(policy.pack, debt.collectsFor).rules.filter(
    ({ states }) => states === 'all' || states.some((state) => place.states.includes(state)),
  );
  return at >= prescribedFrom(debt.dueDate, rules, place, at);
}
