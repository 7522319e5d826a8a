import { createHolidayCalendar, type HolidayCalendar, type HolidayRules } from '../../../../../kernel/holidays.ts';
import type { StricterPack } from '../../../../policy/rules/campaign-settings.ts';
import type { CollectionSequence } from '../../../../policy/rules/collection-sequence.ts';
import { type LedgerContact, NO_CONTACTS } from '../../../../policy/rules/contact-ledger.ts';
import type { ContactQuestion } from '../../../../policy/rules/contact-question.ts';
import type { RehearsalBatch } from '../../../ports/rehearsal-runner.ts';
import type { RehearsalFrame, RehearsedDebt, RehearsedPhone } from '../../../rules/rehearsal/rehearsed-debt.ts';
import type { RehearsalSummary } from '../../../rules/rehearsal/summarize.ts';

/** A policy or a sequence is sent once, because the debts of a client share it, and then named by its place. */
interface SentPhone extends Omit<RehearsedPhone, 'question'> {
  readonly question: Omit<ContactQuestion, 'pack' | 'holidays' | 'ledger' | 'now'>;
  readonly pack: number;
  readonly holidays: number;
}

interface SentDebt extends Omit<RehearsedDebt, 'phones' | 'sequence'> {
  readonly phones: readonly SentPhone[];
  readonly sequence: number;
}

export type Task =
  | { readonly kind: 'begin'; readonly frame: RehearsalFrame }
  | {
      readonly kind: 'batch';
      readonly debts: readonly SentDebt[];
      readonly ledger: readonly LedgerContact[];
      /** What these debts share and no earlier batch has brought. */
      readonly packs: readonly StricterPack[];
      readonly holidays: readonly HolidayRules[];
      readonly sequences: readonly CollectionSequence[];
    }
  | { readonly kind: 'play' };

export type Result =
  | { readonly kind: 'played'; readonly summary: RehearsalSummary }
  /** The message of the exception may name a debtor, so it is not passed on. */
  | { readonly kind: 'failed' };

function createPlaces<Value>() {
  const places = new Map<Value, number>();
  let added: Value[] = [];
  return {
    of(value: Value): number {
      const known = places.get(value);
      if (known !== undefined) return known;
      added.push(value);
      places.set(value, places.size);
      return places.size - 1;
    },
    takeAdded(): readonly Value[] {
      const taken = added;
      added = [];
      return taken;
    },
  };
}

/** Returns a function that makes a message of each batch, which can be copied to a thread: calendars hold functions. */
export function createSender(): (batch: RehearsalBatch) => Task {
  const packs = createPlaces<StricterPack>();
  const calendars = createPlaces<HolidayCalendar>();
  const sequences = createPlaces<CollectionSequence>();
  const sendPhone = ({ question, phoneKey, channels }: RehearsedPhone): SentPhone => {
    const { pack, holidays, ledger: _ledger, now: _now, ...rest } = question;
    return { phoneKey, channels, question: rest, pack: packs.of(pack), holidays: calendars.of(holidays) };
  };
  return ({ debts: given, ledger }) => {
    const debts = given.map((debt) => ({
      ...debt,
      phones: debt.phones.map(sendPhone),
      sequence: sequences.of(debt.sequence),
    }));
    const holidays = calendars.takeAdded().map(({ rules }) => rules);
    return {
      kind: 'batch',
      debts,
      ledger,
      packs: packs.takeAdded(),
      holidays,
      sequences: sequences.takeAdded(),
    };
  };
}

/** Returns a function that restores the batches in the thread. */
export function createReceiver(): (message: Extract<Task, { kind: 'batch' }>) => RehearsalBatch {
  const packs: StricterPack[] = [];
  const calendars: HolidayCalendar[] = [];
  const sequences: CollectionSequence[] = [];
  const receivePhone = ({ question, pack, holidays, ...phone }: SentPhone): RehearsedPhone => {
    const shared = { pack: packs[pack]!, holidays: calendars[holidays]!, ledger: NO_CONTACTS, now: 0 };
    return { ...phone, question: { ...question, ...shared } };
  };
  return (message) => {
    packs.push(...message.packs);
    calendars.push(...message.holidays.map(createHolidayCalendar));
    sequences.push(...message.sequences);
    const debts = message.debts.map((debt): RehearsedDebt => {
      const [first, ...others] = debt.phones;
      if (first === undefined) throw new Error('a debt has at least one phone');
      return {
        ...debt,
        phones: [receivePhone(first), ...others.map(receivePhone)],
        sequence: sequences[debt.sequence]!,
      };
    });
    return { debts, ledger: message.ledger };
  };
}
