import { displayOffset } from '../../../../kernel/phone.ts';
import { nextMove } from '../../../policy/rules/collection-sequence.ts';
import { decideAtGate, type LedgerContact, ledgerFor, NO_CONTACTS } from '../../../policy/rules/contact-ledger.ts';
import { intervalOf } from '../../../policy/rules/contact-pace.ts';
import { type ContactDecision, decideContact, purposeOf } from '../../../policy/rules/contact-policy.ts';
import type { ContactQuestion, VerdictRule } from '../../../policy/rules/contact-question.ts';
import {
  DEBTS_OF_PAGE,
  momentsOfFirstContacts,
  planFirstSlots,
  type Wave,
  wavesOf,
} from '../../../policy/rules/first-contacts.ts';
import {
  endsWithContact,
  FINAL_RULES,
  mayBeMentioned,
  momentAfterRefusal,
  momentOfAll,
  nextSlot,
  slotAfterContact,
  stepsAfter,
} from '../../../policy/rules/next-slot.ts';
import { PlayedDebt } from './played-debt.ts';
import type { RehearsalInput, RehearsedContact } from './rehearsed-debt.ts';
import { RehearsedLedger } from './rehearsed-ledger.ts';
import { WakeQueue } from './wake-queue.ts';

export interface PlayedCampaign {
  readonly contacts: readonly RehearsedContact[];
  readonly debts: readonly PlayedDebt[];
}

/**
 * Plays a campaign from its launch in the order of time, with debtors who never answer and channels that deliver. Every
 * decision is made by the functions that the collection itself uses; this class keeps in memory what they store.
 */
export function playCampaign(input: RehearsalInput): PlayedCampaign {
  const campaign = new Campaign(input);
  campaign.planFirstContacts();
  return campaign.play();
}

class Campaign {
  readonly #input: RehearsalInput;
  readonly #debts: readonly PlayedDebt[];
  readonly #byPerson: ReadonlyMap<string, readonly PlayedDebt[]>;
  readonly #ledger: RehearsedLedger;
  readonly #queue = new WakeQueue<PlayedDebt>();
  readonly #contacts: RehearsedContact[] = [];

  constructor(input: RehearsalInput) {
    this.#input = input;
    this.#debts = input.debts.map((debt) => new PlayedDebt(debt, input.clientId));
    this.#byPerson = Map.groupBy(this.#debts, ({ given }) => given.personKey);
    this.#ledger = new RehearsedLedger(input.ledger);
  }

  planFirstContacts(): void {
    const { from } = this.#input;
    const queued = this.#debts
      .filter(({ given, status }) => given.isOwn && status === 'QUEUED')
      .sort((one, other) => other.given.score - one.given.score || (one.given.debtId < other.given.debtId ? 1 : -1));
    const pace = new Map<number, number>();
    for (let start = 0; start < queued.length; start += DEBTS_OF_PAGE) {
      this.#planPage(queued.slice(start, start + DEBTS_OF_PAGE), pace);
    }
    for (const [order, debt] of queued.entries()) {
      debt.order = order;
      this.#wakeAt(debt, debt.nextContactAt ?? from);
    }
    for (const debt of this.#debts) {
      if (debt.given.isOwn || debt.nextContactAt === null) continue;
      this.#wakeAt(debt, Math.max(from, debt.nextContactAt));
    }
    for (const debt of this.#debts) {
      // A debt that a message has moved before the launch is not queued by it.
      if (debt.given.isOwn && debt.status !== 'QUEUED') this.#endBy(debt, standingRule(debt.question(from)));
    }
  }

  #planPage(page: readonly PlayedDebt[], pace: Map<number, number>): void {
    const { from: now, contactsPerSecond } = this.#input;
    const rows = new Set(page.flatMap((debt) => this.#ledger.of(debt.key)));
    const toPlan = page.map((debt) => ({ key: debt.key, question: debt.question(now, debt.given.plannedBy) }));
    const { contacts, reserved } = planFirstSlots(toPlan, [...rows], now);
    const waves = wavesOf(contacts, now);
    const firstOf = takeMoments(pace, waves, { now, intervalMs: intervalOf(contactsPerSecond) });
    const moments = momentsOfFirstContacts(contacts, waves, { now, firstOf, contactsPerSecond });
    for (const key of reserved) this.#ledger.reserve(key, moments.get(key.debtId) ?? now);
    const found = new Map(contacts.map((contact) => [contact.debtId, contact]));
    for (const debt of page) {
      const contact = found.get(debt.given.debtId);
      debt.isMovedByCap = contact !== undefined && isMovedByCap(contact.question, now, contact.at);
      debt.nextContactAt = moments.get(debt.given.debtId) ?? now;
    }
  }

  play(): PlayedCampaign {
    for (let wake = this.#queue.take(); wake !== undefined; wake = this.#queue.take()) {
      if (wake.at > this.#input.to) break;
      const { at, item: debt } = wake;
      if (!debt.isLive) continue;
      if (debt.nextContactAt === null || at >= debt.nextContactAt) this.#wake(debt, at);
      if (debt.isLive && debt.nextContactAt !== null) this.#wakeAt(debt, debt.nextContactAt);
    }
    return { contacts: this.#contacts, debts: this.#debts };
  }

  /**
   * Sets the timer of the debt's workflow, which has one. A contact for another debt may move the moment of this one, and
   * the timer stays: the workflow finds the later moment when it wakes up.
   */
  #wakeAt(debt: PlayedDebt, at: number): void {
    this.#queue.put(at, debt.order, debt);
  }

  #wake(debt: PlayedDebt, at: number): void {
    const now = momentOfAll(at, [debt]);
    const move = nextMove(debt.given.sequence, {
      contactsMade: debt.step,
      anchorAt: now,
      promiseLapsed: debt.status === 'PROMISED',
    });
    const reaches = debt.phone.channels.length > 0;
    if (move.kind !== 'exhausted' && reaches) {
      this.#askGate(debt, now);
    } else if (move.kind !== 'exhausted' && debt.useNextPhone()) {
      this.#ledger.reserve(debt.key, null);
      debt.nextContactAt = now;
    } else {
      this.#end(debt);
    }
  }

  #askGate(debt: PlayedDebt, ownMoment: number): void {
    const { channel } = debt.phone.question;
    const open = (this.#byPerson.get(debt.given.personKey) ?? []).filter((one) => one !== debt && one.isLive);
    const moment = momentOfAll(ownMoment, open);
    const purpose = purposeOf(debt.question(ownMoment));
    const others = open.filter((one) => mayBeMentioned(one.question(moment, channel), purpose));
    const now = momentOfAll(ownMoment, others);
    const { key } = debt;
    const rows = this.#ledger.of(key);
    const question = { ...debt.question(now), ledger: ledgerFor(rows, key) };
    const decision = decideAtGate(question, rows, key);
    if (decision.allowed) this.#contact(debt, others, question, rows);
    else this.#refuse(debt, question, decision);
  }

  #contact(
    debt: PlayedDebt,
    others: readonly PlayedDebt[],
    question: ContactQuestion,
    rows: readonly LedgerContact[],
  ): void {
    const at = question.now;
    const purpose = purposeOf(question);
    this.#contacts.push({
      at,
      debtId: debt.given.debtId,
      alsoAbout: others.map(({ given }) => given.debtId),
      personKey: debt.given.personKey,
      channels: debt.phone.channels,
      utcOffset: displayOffset(question.phoneAreaCode),
      purpose,
      isFirst: purpose === 'reminder' ? debt.contacts === 0 : debt.step === 0,
      movedByCap: debt.isMovedByCap,
    });
    const booked = [...rows, this.#ledger.book(debt.key, at)];
    for (const each of [debt, ...others]) {
      const own = each === debt ? question : each.question(at, question.channel);
      this.#advance(each, { ...own, suppressions: question.suppressions, ledger: ledgerFor(booked, each.key) }, at);
    }
  }

  #advance(debt: PlayedDebt, question: ContactQuestion, at: number): void {
    const { sequence, debtId } = debt.given;
    const purpose = purposeOf(question);
    const made = { purpose, debtId, question, sequence, step: debt.step, at };
    const following = slotAfterContact(made);
    const isOver = endsWithContact(made);
    const step = stepsAfter(made);
    const earliest = nextMove(sequence, { contactsMade: step, anchorAt: at, promiseLapsed: false }).notBefore;
    debt.isMovedByCap = !isOver && following.at !== earliest && isMovedByCap(question, earliest, null);
    if (purpose === 'reminder') {
      debt.remindedAt = at;
    } else {
      debt.status = 'IN_COLLECTION';
      debt.promisedDate = null;
    }
    debt.lastEventAt = new Date(at);
    debt.step = step;
    debt.contacts += 1;
    this.#ledger.reserve(debt.key, following.slot);
    if (isOver) this.#end(debt);
    else debt.nextContactAt = following.at;
  }

  #refuse(debt: PlayedDebt, question: ContactQuestion, refused: Extract<ContactDecision, { allowed: false }>): void {
    const { shown, inVain } = refused;
    const at = question.now;
    debt.lastEventAt = new Date(at);
    debt.isMovedByCap = debt.isMovedByCap || refused.rules.includes('caps');
    const { wrongPerson, optedOut, phoneSilenced } = question.suppressions;
    if ((wrongPerson || (phoneSilenced === true && !optedOut)) && debt.useNextPhone()) {
      if (wrongPerson) debt.step = 0;
      this.#ledger.reserve(debt.key, null);
      debt.nextContactAt = at;
      return;
    }
    const next = momentAfterRefusal(question, refused, debt.given.debtId);
    const ends = shown.rules.some((rule) => FINAL_RULES.includes(rule));
    this.#ledger.reserve(debt.key, inVain || ends ? null : next);
    if (ends || next === null) debt.endedBy = decisive(shown.rules);
    if (ends) this.#end(debt);
    else debt.nextContactAt = next;
  }

  #end(debt: PlayedDebt): void {
    this.#ledger.reserve(debt.key, null);
    debt.status = 'EXHAUSTED';
    debt.nextContactAt = null;
  }

  #endBy(debt: PlayedDebt, rule: VerdictRule | null): void {
    debt.endedBy = rule;
    debt.nextContactAt = null;
  }
}

/** These rules pass by themselves. */
const PASSING: readonly VerdictRule[] = [
  'window',
  'holidays',
  'caps',
  'scheduling',
  'due',
  'promise',
  'said_paid',
  'inbox',
];

const decisive = (rules: readonly VerdictRule[]): VerdictRule | null =>
  rules.find((rule) => !PASSING.includes(rule)) ?? rules[0] ?? null;

function standingRule(question: ContactQuestion): VerdictRule | null {
  const decision = decideContact({ ...question, ledger: NO_CONTACTS });
  return decision.allowed ? null : decisive(decision.shown.rules);
}

/** Returns whether the debt could be contacted earlier, not before `from`, without other contacts. */
function isMovedByCap(question: ContactQuestion, from: number, at: number | null): boolean {
  if (at === from) return false;
  const found = at ?? nextSlot(question, from).at;
  return found !== nextSlot({ ...question, ledger: NO_CONTACTS }, from).at;
}

/**
 * Returns the first free moment of each wave and takes as many as it needs, as the statement on `contact_pace` does,
 * which stores whole milliseconds.
 */
function takeMoments(
  pace: Map<number, number>,
  waves: readonly Wave[],
  { now, intervalMs }: { readonly now: number; readonly intervalMs: number },
): Map<number, number> {
  const firstOf = new Map<number, number>();
  for (const { opening, contacts } of waves) {
    const start = Math.max(opening, now);
    const takes = Math.round(start + contacts.length * intervalMs) - start;
    const freeFrom = Math.max(pace.get(opening) ?? start, start) + takes;
    pace.set(opening, freeFrom);
    firstOf.set(opening, freeFrom - contacts.length * intervalMs);
  }
  return firstOf;
}
