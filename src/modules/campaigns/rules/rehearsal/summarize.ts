import { HOUR, type LocalDate, localDate, localTime } from '../../../../kernel/calendar.ts';
import { isLive } from '../../../../kernel/debt-status.ts';
import { offeredDebts, whyNotOffered } from '../../../agreements/rules/offered-debts.ts';
import { bestOffer, type DebtOfOffer } from '../../../agreements/rules/offers.ts';
import type { OffersPolicy } from '../../../agreements/rules/offers-policy.ts';
import { CONTACT_PURPOSES, type ContactPurpose } from '../../../policy/rules/contact-policy.ts';
import type { VerdictRule } from '../../../policy/rules/contact-question.ts';
import type { Centavos } from '../../../terms/rules/owed-on.ts';
import type { PlayedCampaign } from './play-campaign.ts';
import type { PlayedDebt } from './played-debt.ts';
import type { RehearsalFrame, RehearsedContact, RehearsedDebt } from './rehearsed-debt.ts';

/** What could be offered about the campaign's debts on the day of the launch, in centavos. */
interface RehearsedOffers {
  readonly debts: number;
  readonly owed: number;
  /** What would be paid of it by the offers with the best discount. */
  readonly withBestDiscount: number;
}

type Offered = Pick<RehearsedDebt, 'debtId' | 'personKey' | 'isOwn' | 'offerable'>;

/** An offer is about all debts of a person, so that those of other campaigns count for its limits, and not in the sums. */
function rehearsedOffers(policy: OffersPolicy, debts: readonly Offered[], today: LocalDate): RehearsedOffers {
  const own = new Set(debts.flatMap(({ debtId, isOwn }) => (isOwn ? [debtId] : [])));
  const offered = [...Map.groupBy(debts, ({ personKey }) => personKey).values()]
    .flatMap((ofPerson) => offeredToPerson(policy, ofPerson, today))
    .filter(({ debtId }) => own.has(debtId));
  const owed = offered.reduce((sum, { owedCentavos }) => sum + owedCentavos, 0);
  const discount = offered.reduce((sum, { discountCentavos }) => sum + discountCentavos, 0);
  return { debts: offered.length, owed, withBestDiscount: owed - discount };
}

function offeredToPerson(policy: OffersPolicy, ofPerson: readonly Offered[], today: LocalDate): DebtOfOffer[] {
  const debts = ofPerson.flatMap(({ offerable }) => offerable ?? []);
  const first = debts.find((debt) => whyNotOffered(debt) === null);
  if (first === undefined) return [];
  const offered = offeredDebts(policy, debts, first.debtId);
  return offered.reason === null ? (bestOffer({ policy, debts: offered.debts, today }) ?? []) : [];
}

/** A first contact of its purpose that shows how a channel's messages read. */
export interface ExampleContact {
  readonly channel: number;
  readonly purpose: ContactPurpose;
  readonly debtId: string;
  readonly alsoAbout: readonly string[];
}

export interface RehearsalSummary {
  /** The moment of the first contact, or null when there is none. */
  readonly firstAt: number | null;
  /** Messages by date and hour at the debtor's place. */
  readonly contacts: readonly {
    readonly date: string;
    readonly hour: number;
    readonly count: number;
    /** How many of them are reminders. */
    readonly reminders: number;
  }[];
  readonly never: readonly { readonly rule: VerdictRule; readonly debts: number }[];
  readonly debts: {
    readonly total: number;
    readonly contacted: number;
    /** Debts whose first contact comes after the rehearsed days. */
    readonly later: number;
    /** Debts that no channel can reach. */
    readonly withoutAddress: number;
    readonly prescribed: number;
    readonly ofPeopleWithSeveral: number;
  };
  /** What is owed of the campaign's debts on the day of the launch. */
  readonly owed: Centavos;
  /** Null when the client offers no agreements. */
  readonly offered: RehearsedOffers | null;
  /** How many people get how many messages. */
  readonly people: readonly { readonly contacts: number; readonly people: number }[];
  /** How many messages a cap has moved to a later moment. */
  readonly movedByCap: number;
  /** How many messages each channel carries, by its place in the list. */
  readonly messages: readonly number[];
  readonly examples: readonly ExampleContact[];
}

/** So many for each channel and purpose. */
const EXAMPLES_OF_CHANNEL = 3;
/** A reminder comes before what collects. */
const PURPOSES = CONTACT_PURPOSES.toReversed();

/** Counts the messages that speak of a debt of the campaign. */
export function summarize(frame: RehearsalFrame, { contacts: all, debts }: PlayedCampaign): RehearsalSummary {
  const own = debts.filter(({ given }) => given.isOwn);
  const ownIds = new Set(own.map(({ given }) => given.debtId));
  const contacts = all.filter(({ debtId, alsoAbout }) => [debtId, ...alsoAbout].some((id) => ownIds.has(id)));
  const ofPeople = new Map(own.map(({ given }) => [given.personKey, 0]));
  const messages = Array.from({ length: frame.channels }, () => 0);
  for (const { personKey, channels } of contacts) {
    ofPeople.set(personKey, (ofPeople.get(personKey) ?? 0) + 1);
    const [channel] = channels;
    if (channel !== undefined) messages[channel] = (messages[channel] ?? 0) + 1;
  }
  const launched = debts.filter(({ given }) => isLive(given.phones[0].question.debt.status));
  const openOf = Map.groupBy(launched, ({ given }) => given.personKey);
  const uncontacted = own.filter((debt) => debt.contacts === 0);
  const ended = uncontacted.filter(({ endedBy }) => endedBy !== null);
  const notEnded = uncontacted.filter(({ endedBy }) => endedBy === null);
  const withoutAddress = notEnded.filter(isOutOfReach);
  const owed = (component: keyof Centavos) => own.reduce((sum, { given }) => sum + given.owed[component], 0);
  return {
    firstAt: contacts[0]?.at ?? null,
    contacts: byHour(contacts),
    never: count(ended.map(({ endedBy }) => endedBy!)).map(([rule, number]) => ({ rule, debts: number })),
    debts: {
      total: own.length,
      contacted: own.filter((debt) => debt.contacts > 0).length,
      later: notEnded.length - withoutAddress.length,
      withoutAddress: withoutAddress.length,
      prescribed: own.filter(({ endedBy }) => endedBy === 'prescription').length,
      ofPeopleWithSeveral: launched.filter(({ given }) => given.isOwn && (openOf.get(given.personKey)?.length ?? 0) > 1)
        .length,
    },
    owed: {
      principal: owed('principal'),
      fine: owed('fine'),
      interest: owed('interest'),
      correction: owed('correction'),
    },
    offered:
      frame.offersPolicy === null
        ? null
        : rehearsedOffers(
            frame.offersPolicy,
            debts.map(({ given }) => given),
            frame.today,
          ),
    people: count([...ofPeople.values()])
      .sort(([one], [other]) => one - other)
      .map(([number, people]) => ({ contacts: number, people })),
    movedByCap: contacts.filter(({ movedByCap }) => movedByCap).length,
    messages,
    examples: Array.from({ length: frame.channels }, (_, channel) =>
      PURPOSES.flatMap((purpose) => examplesOf(contacts, { channel, purpose }, ownIds)),
    ).flat(),
  };
}

const isOutOfReach = ({ given }: PlayedDebt): boolean => given.phones.every(({ channels }) => channels.length === 0);

const count = <Value>(values: readonly Value[]): [Value, number][] =>
  [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]);

function byHour(contacts: readonly RehearsedContact[]): RehearsalSummary['contacts'] {
  const hourOf = ({ at, utcOffset }: RehearsedContact): string => {
    const hour = String(Math.floor(localTime(at, utcOffset) / HOUR)).padStart(2, '0');
    return `${localDate(at, utcOffset)}T${hour}`;
  };
  return [...Map.groupBy(contacts, hourOf)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([hour, ofHour]) => ({
      date: hour.slice(0, -3),
      hour: Number(hour.slice(-2)),
      count: ofHour.length,
      reminders: ofHour.filter(({ purpose }) => purpose === 'reminder').length,
    }));
}

/** Returns the first contacts of a purpose that the channel may carry, of different people. */
function examplesOf(
  contacts: readonly RehearsedContact[],
  { channel, purpose }: Pick<ExampleContact, 'channel' | 'purpose'>,
  ownIds: ReadonlySet<string>,
): ExampleContact[] {
  const people = new Set<string>();
  const examples: ExampleContact[] = [];
  for (const { debtId, alsoAbout, personKey, channels, isFirst, purpose: made } of contacts) {
    if (examples.length === EXAMPLES_OF_CHANNEL) break;
    if (!isFirst || made !== purpose || !ownIds.has(debtId) || people.has(personKey) || !channels.includes(channel))
      continue;
    people.add(personKey);
    examples.push({ channel, purpose, debtId, alsoAbout });
  }
  return examples;
}
