import type { TimelineEntry } from '../api/client.ts';
import { TIMELINE } from '../texts/timeline.ts';
import type { IconName } from '../ui/icon.tsx';

/** What an entry is about; the filters of a timeline choose by it. */
export type Topic = 'talk' | 'decision' | 'money' | 'work';

interface Common {
  /** Unique on its timeline; it stays the same when entries are added at either end. */
  readonly key: string;
  readonly at: string;
  readonly topic: Topic;
}

export interface Attachment {
  readonly id: string;
  readonly kind: string;
  readonly contentType: string | null;
  readonly filename: string | null;
  readonly bytes: number | null;
  readonly state: string;
}

export interface MessageEntry extends Common {
  readonly type: 'message';
  readonly from: 'debtor' | 'agent' | 'staff';
  readonly messageId: string | null;
  readonly channel: string | null;
  readonly purpose: string | null;
  /** Null when nobody knows it, empty when the person was erased. */
  readonly text: string | null;
  readonly delivery: string | null;
  readonly intent: string | null;
  readonly cutFrom: number | null;
  /** The version of the company's own wording; null for the product's. */
  readonly textVersion: number | null;
  readonly attachments: readonly Attachment[];
  /** The rules by which a message that was taken was refused before it was sent. */
  readonly refusedBy: readonly string[] | null;
}

export interface VerdictEntry extends Common {
  readonly type: 'verdict';
  readonly allowed: boolean;
  readonly rules: readonly string[];
  readonly ruleIds: readonly string[];
  readonly notBefore: string | null;
  /** The policy pack that was in force, which makes the verdict evidence. */
  readonly pack: Pack | null;
}

export interface Pack {
  readonly id: string;
  readonly version: string;
  /** The version of the company's own rules, where it had some. */
  readonly ownVersion: number | null;
}

export interface NoteEntry extends Common {
  readonly type: 'note';
  readonly text: string;
}

/** Everything else: one line, and one below it where there is more to say. */
export interface StepEntry extends Common {
  readonly type: 'step';
  readonly kind: string;
  readonly icon: IconName;
  readonly text: string;
  readonly detail: string | null;
  /** The protocol of a receipt. */
  readonly protocol: string | null;
}

export type Entry = MessageEntry | VerdictEntry | NoteEntry | StepEntry;

type Given = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const attachmentsOf = (value: unknown): readonly Attachment[] =>
  (Array.isArray(value) ? value : []).flatMap((one: Given) => {
    const id = text(one['id']);
    if (id === null) return [];
    return [
      {
        id,
        kind: text(one['kind']) ?? 'other',
        contentType: text(one['contentType']),
        filename: text(one['filename']),
        bytes: number(one['bytes']),
        state: text(one['state']) ?? 'absent',
      },
    ];
  });

function packOf(value: unknown): Pack | null {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Given;
  const [id, version] = [text(given['id']), text(given['version'])];
  return id === null || version === null ? null : { id, version, ownVersion: number(given['ownVersion']) };
}

function messageOf(common: Omit<Common, 'topic'>, given: Given): MessageEntry {
  const isFromDebtor = given['kind'] === 'message_received';
  return {
    ...common,
    type: 'message',
    topic: 'talk',
    from: isFromDebtor ? 'debtor' : given['author'] === 'staff' ? 'staff' : 'agent',
    messageId: text(given['messageId']),
    channel: text(given['channel']),
    purpose: text(given['purpose']),
    text: text(given['text']),
    delivery: isFromDebtor ? null : text(given['delivery']),
    intent: isFromDebtor ? text(given['intent']) : null,
    cutFrom: number(given['cutFrom']),
    textVersion: number(given['textVersion']),
    attachments: attachmentsOf(given['attachments']),
    refusedBy: given['reason'] === 'contact_blocked' ? texts(given['rules']) : null,
  };
}

interface Said {
  readonly topic: Topic;
  readonly icon: IconName;
  readonly text: string;
  readonly detail?: string | null;
}

const joined = (...parts: readonly (string | null)[]): string | null => {
  const said = parts.filter((part) => part !== null && part !== '');
  return said.length === 0 ? null : said.join(' · ');
};

const outside = (given: Given): string | null => {
  const method = text(given['method']);
  return joined(method === null ? null : TIMELINE.paidBy(method), text(given['note']));
};

function changedPayment(given: Given): Said {
  const money = { topic: 'money', icon: 'money' } as const;
  const amount = number(given['refundedAmount']);
  if (given['change'] === 'refunded') return { ...money, text: TIMELINE.refunded(amount) };
  if (given['change'] === 'charged_back') return { ...money, icon: 'warning', text: TIMELINE.chargedBack };
  if (given['change'] === 'chargeback_reversed') return { ...money, text: TIMELINE.chargeBackReversed };
  if (given['problem'] === 'underpaid') {
    const said = TIMELINE.underpaid(number(given['amount']), number(given['expectedAmount']));
    return { ...money, icon: 'warning', text: said, detail: outside(given) };
  }
  return {
    ...money,
    icon: 'warning',
    text: TIMELINE.paymentProblem,
    detail: TIMELINE.problem(text(given['problem']) ?? ''),
  };
}

function changedDebt(given: Given): Said {
  const field = text(given['field']) ?? '';
  const [from, to] = [given['from'], given['to']];
  // Phones and addresses are named by their places in a list, which says nothing to a reader.
  const values =
    field === 'originalAmount' && typeof from === 'number' && typeof to === 'number'
      ? TIMELINE.fromTo(TIMELINE.money(from), TIMELINE.money(to))
      : field === 'dueDate' && typeof from === 'string' && typeof to === 'string'
        ? TIMELINE.fromTo(TIMELINE.date(from), TIMELINE.date(to))
        : null;
  return { topic: 'work', icon: 'note', text: TIMELINE.changed(field, text(given['reason']) ?? ''), detail: values };
}

function saidOf(kind: string, given: Given): Said {
  const amount = number(given['amount']);
  switch (kind) {
    case 'imported':
      return { topic: 'work', icon: 'upload', text: TIMELINE.imported };
    case 'scored':
      return { topic: 'work', icon: 'info', text: TIMELINE.scored(number(given['score'])) };
    case 'charge_created':
      return { topic: 'money', icon: 'money', text: TIMELINE.chargeCreated };
    case 'status_changed': {
      const reason = text(given['reason']);
      const to = text(given['to']) ?? '';
      const caller = text(given['caller']);
      const detail = joined(
        caller === null ? null : TIMELINE.decidedBy(to, caller),
        reason === null ? null : TIMELINE.reason(reason),
      );
      return { topic: 'decision', icon: 'info', text: TIMELINE.status(to), detail };
    }
    case 'debt_changed':
      return changedDebt(given);
    case 'payment_approved': {
      const over = number(given['overpaidAmount']);
      const detail = joined(outside(given), over === null ? null : TIMELINE.overpaid(over));
      return { topic: 'money', icon: 'check', text: TIMELINE.paid(amount), detail };
    }
    case 'payment_duplicate': {
      const detail = joined(outside(given), given['covers'] === true ? TIMELINE.covers : TIMELINE.giveBack);
      return { topic: 'money', icon: 'warning', text: TIMELINE.paidTwice(amount), detail };
    }
    case 'payment_changed':
      return changedPayment(given);
    case 'receipt_issued':
      return { topic: 'money', icon: 'receipt', text: TIMELINE.receipt(text(given['protocol']) ?? '') };
    case 'email_sent':
      return { topic: 'money', icon: 'send', text: TIMELINE.mail(text(given['delivery']) ?? '') };
    case 'needs_person':
      return { topic: 'decision', icon: 'hand', text: TIMELINE.needs(text(given['reason']) ?? '') };
    default:
      return { topic: 'work', icon: 'info', text: TIMELINE.other(kind) };
  }
}

function entryOf(given: TimelineEntry & Given, key: string): Entry {
  const { at, kind } = given;
  const common = { key, at };
  if (kind === 'message_sent' || kind === 'message_received') return messageOf(common, given);
  if (kind === 'verdict') {
    return {
      ...common,
      type: 'verdict',
      topic: 'decision',
      allowed: given['allowed'] === true,
      rules: texts(given['rules']),
      ruleIds: texts(given['ruleIds']),
      notBefore: text(given['notBefore']),
      pack: packOf(given['pack']),
    };
  }
  if (kind === 'note') return { ...common, type: 'note', topic: 'decision', text: text(given['text']) ?? '' };
  const said = saidOf(kind, given);
  const protocol = kind === 'receipt_issued' ? text(given['protocol']) : null;
  return { ...common, type: 'step', kind, ...said, detail: said.detail ?? null, protocol };
}

/** Reads the timeline of a debt. A kind that this page does not know yet stays one line. */
export function entriesOf(timeline: readonly TimelineEntry[]): readonly Entry[] {
  const alike = new Map<string, number>();
  return timeline.map((entry) => {
    const name = `${entry.at}-${entry.kind}`;
    const earlier = alike.get(name) ?? 0;
    alike.set(name, earlier + 1);
    return entryOf(entry, `${name}-${earlier}`);
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
