import type { TimelineEntry } from '../api/client.ts';
import { formatPlainDate } from '../format.ts';
import { TIMELINE } from '../texts/timeline-texts.ts';
import type { IconName } from '../ui/icon.tsx';

/** What an entry is about; the filters of a timeline choose by it. */
export type Topic = 'talk' | 'decision' | 'money' | 'work';

/** `key` is unique on its timeline; it stays the same when entries are added at either end. */
export type Entry = TimelineEntry & { readonly key: string };

type OfKind<Kind extends TimelineEntry['kind']> = Extract<Entry, { kind: Kind }>;

export type MessageEntry = OfKind<'message_sent' | 'message_received'>;
export type VerdictEntry = OfKind<'verdict'>;
const RECEIPT_TEXT = {
  whole: TIMELINE.receipt,
  part: TIMELINE.receiptOfPart,
  instalment: TIMELINE.receiptOfInstalment,
} as const;

/** What one line says, and one below it where there is more to say. */
export type StepEntry = Exclude<Entry, MessageEntry | VerdictEntry | OfKind<'note'>>;

const TOPICS: Readonly<Partial<Record<string, Topic>>> = {
  message_sent: 'talk',
  message_received: 'talk',
  verdict: 'decision',
  note: 'decision',
  status_changed: 'decision',
  needs_person: 'decision',
  charge_created: 'money',
  payment_approved: 'money',
  payment_duplicate: 'money',
  payment_changed: 'money',
  receipt_issued: 'money',
  offer_made: 'money',
  agreement_accepted: 'money',
  instalment_paid: 'money',
  agreement_changed: 'money',
  agreement_broken: 'money',
  agreement_completed: 'money',
  listed: 'decision',
  listing_removed: 'decision',
  email_sent: 'money',
};

export const topicOf = ({ kind }: Pick<Entry, 'kind'>): Topic => TOPICS[kind] ?? 'work';

/** The member of the staff who did it. */
export const actorOf = (entry: Entry): string | null => ('by' in entry ? (entry.by?.name ?? null) : null);

/** `Maria · 14:02`, or the time alone. */
export const signed = (actor: string | null, time: string): string => (actor === null ? time : `${actor} · ${time}`);

export const isMessage = (entry: Entry): entry is MessageEntry =>
  entry.kind === 'message_sent' || entry.kind === 'message_received';

export const writerOf = (message: MessageEntry): 'debtor' | 'agent' | 'staff' =>
  message.kind === 'message_received' ? 'debtor' : (message.author ?? 'agent');

/** The rules by which a message that was taken was refused before it was sent. */
export const refusedBy = (message: MessageEntry): readonly string[] | null =>
  message.kind === 'message_sent' && message.reason === 'contact_blocked' ? (message.rules ?? []) : null;

interface Said {
  readonly icon: IconName;
  readonly text: string;
  readonly detail?: string | null;
}

const joined = (...parts: readonly (string | undefined)[]): string | null => {
  const said = parts.filter((part) => part !== undefined && part !== '');
  return said.length === 0 ? null : said.join(' · ');
};

/** How the company received the money elsewhere, and what its staff wrote about it. */
const outside = ({ method, note }: OfKind<'payment_approved' | 'payment_duplicate' | 'payment_changed'>) => [
  method && TIMELINE.paidBy(method),
  note,
];

/** Money went back: the company gave it back, or a bank took it, which may be contested for a while. */
function returned(entry: OfKind<'payment_changed'>): Said {
  const { refundedAmount = null, returnKind, contestUntil } = entry;
  if (returnKind === undefined) return { icon: 'money', text: TIMELINE.refunded(refundedAmount) };
  const detail = contestUntil === undefined ? null : TIMELINE.contestUntil(contestUntil);
  return { icon: 'warning', text: TIMELINE.takenBack(returnKind, refundedAmount), detail };
}

function changedPayment(entry: OfKind<'payment_changed'>): Said {
  const { change, problem, amount = null, expectedAmount = null } = entry;
  if (change === 'refunded') return returned(entry);
  if (change === 'refund_asked') return { icon: 'money', text: TIMELINE.refundAsked(amount) };
  if (change === 'refund_failed') {
    return { icon: 'warning', text: TIMELINE.refundFailed(amount), detail: TIMELINE.refundFailedMore };
  }
  if (change === 'charged_back') return { icon: 'warning', text: TIMELINE.chargedBack };
  if (change === 'chargeback_reversed') return { icon: 'money', text: TIMELINE.chargeBackReversed };
  if (change === 'undone') return { icon: 'warning', text: TIMELINE.undone(amount), detail: TIMELINE.undoneMore };
  if (problem === 'underpaid') {
    return { icon: 'warning', text: TIMELINE.underpaid(amount, expectedAmount), detail: joined(...outside(entry)) };
  }
  return { icon: 'warning', text: TIMELINE.paymentProblem, detail: TIMELINE.problem(problem ?? '') };
}

function changedDebt({ field, reason, from, to }: OfKind<'debt_changed'>): Said {
  // Phones and addresses are named by their places in a list, which says nothing to a reader.
  const values =
    field === 'originalAmount' && typeof from === 'number' && typeof to === 'number'
      ? TIMELINE.fromTo(TIMELINE.money(from), TIMELINE.money(to))
      : field === 'dueDate' && typeof from === 'string' && typeof to === 'string'
        ? TIMELINE.fromTo(TIMELINE.date(from), TIMELINE.date(to))
        : null;
  const isGivenUp = reason === 'wrong_person' && to === undefined;
  return { icon: 'note', text: TIMELINE.changed(field, isGivenUp ? 'given_up' : reason), detail: values };
}

function changedAgreement({
  change,
  instalment = 0,
  from = '',
  to = '',
  because = '',
}: OfKind<'agreement_changed'>): Said {
  switch (change) {
    case 'moved': {
      const detail = TIMELINE.fromTo(TIMELINE.date(from), TIMELINE.date(to));
      return { icon: 'clock', text: TIMELINE.agreementMoved(instalment), detail };
    }
    case 'stopped':
      return { icon: 'hand', text: TIMELINE.agreementStopped, detail: TIMELINE.agreementStoppedMore(because) };
    case 'resumed':
      return { icon: 'play', text: TIMELINE.agreementResumed };
    case 'reopened':
      return { icon: 'play', text: TIMELINE.agreementReopened, detail: TIMELINE.agreementReopenedMore };
    default:
      return { icon: 'stop', text: TIMELINE.agreementCancelled, detail: TIMELINE.agreementCancelledMore };
  }
}

export function saidOf(entry: StepEntry): Said {
  switch (entry.kind) {
    case 'imported':
      return { icon: 'upload', text: TIMELINE.imported };
    case 'scored':
      return { icon: 'info', text: TIMELINE.scored(entry.score) };
    case 'charge_created':
      return { icon: 'money', text: TIMELINE.chargeCreated };
    case 'status_changed': {
      const { to, caller, reason } = entry;
      const detail = joined(caller && TIMELINE.decidedBy(to, caller), reason && TIMELINE.reason(reason));
      return { icon: 'info', text: TIMELINE.status(to), detail };
    }
    case 'debt_changed':
      return changedDebt(entry);
    case 'payment_approved': {
      const over = entry.overpaidAmount;
      const detail = joined(...outside(entry), over === undefined ? over : TIMELINE.overpaid(over));
      return { icon: 'check', text: TIMELINE.paid(entry.amount), detail };
    }
    case 'payment_duplicate': {
      const detail = joined(...outside(entry), entry.covers === true ? TIMELINE.covers : TIMELINE.giveBack);
      return { icon: 'warning', text: TIMELINE.paidTwice(entry.amount), detail };
    }
    case 'payment_changed':
      return changedPayment(entry);
    case 'receipt_issued':
      return {
        icon: 'receipt',
        text: RECEIPT_TEXT[entry.receipt ?? 'whole'](entry.protocol),
      };
    case 'offer_made': {
      const { number, total, discount, instalments, validUntil, madeBy } = entry;
      const detail = TIMELINE.offerMore(discount, validUntil, madeBy);
      return { icon: 'offer', text: TIMELINE.offer(number, total, instalments), detail };
    }
    case 'agreement_accepted': {
      const { protocol, total, discount, instalments, acceptedBy } = entry;
      return {
        icon: 'agreement',
        text: TIMELINE.agreed(total, instalments),
        detail: TIMELINE.agreedMore(protocol, discount, acceptedBy),
      };
    }
    case 'instalment_paid': {
      const { instalment, amount } = entry;
      const detail = instalment === null ? TIMELINE.instalmentPaidMore : null;
      return { icon: 'check', text: TIMELINE.instalmentPaid(instalment, amount), detail };
    }
    case 'agreement_changed':
      return changedAgreement(entry);
    case 'agreement_broken': {
      const detail = TIMELINE.agreementBrokenMore(entry.paid, entry.afterBreach);
      return { icon: 'warning', text: TIMELINE.agreementBroken, detail };
    }
    case 'agreement_completed':
      return { icon: 'check', text: TIMELINE.agreementCompleted(entry.paid) };
    case 'listed':
      return {
        icon: 'warning',
        text: TIMELINE.listed(entry.bureau, formatPlainDate(entry.listedOn)),
        detail: TIMELINE.listedNotice(formatPlainDate(entry.notifiedOn)),
      };
    case 'listing_removed':
      return { icon: 'check', text: TIMELINE.listingRemoved(entry.bureau, formatPlainDate(entry.removedOn)) };
    case 'email_sent':
      return { icon: 'send', text: TIMELINE.mail(entry.delivery) };
    case 'needs_person':
      return { icon: 'hand', text: TIMELINE.needs(entry.reason) };
    default:
      // The service may be newer than a page that has been open since.
      return { icon: 'info', text: TIMELINE.other((entry satisfies never as Entry).kind) };
  }
}

export function entriesOf(timeline: readonly TimelineEntry[]): readonly Entry[] {
  const alike = new Map<string, number>();
  return timeline.map((entry) => {
    const name = `${entry.at}-${entry.kind}`;
    const earlier = alike.get(name) ?? 0;
    alike.set(name, earlier + 1);
    return { ...entry, key: `${name}-${earlier}` };
  });
}

export interface DayOfEntries<One extends Entry = Entry> {
  readonly day: string;
  readonly entries: readonly One[];
}

/** Gathers what lies on the same day; `dayOf` names the day of a moment at the debtor's place. */
export function byDay(entries: readonly Entry[], dayOf: (at: string) => string): readonly DayOfEntries[] {
  const days: { day: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const day = dayOf(entry.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
