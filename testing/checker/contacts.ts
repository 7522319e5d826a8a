/** The rules about what reached debtors, computed from the log of the channel and from nothing that the product counts. */
import { type Facts, groupBy, type MessageFact, type Rule } from './facts.ts';
import { type Entry, ofKind } from './log.ts';
import { businessDayAfter, dateAt, dateOf, isOpen, lastBusinessDay, offsetsOf } from './place.ts';

type Taken = Extract<Entry, { readonly kind: 'message_taken' }>;

export interface Contact extends Taken {
  readonly cpf: string;
  /** The message as the product stored it; absent when it stored none. */
  readonly row: MessageFact | undefined;
}

const HOUR = 3_600_000;
const WEEK = 168 * HOUR;
const UNASKED: readonly (string | null)[] = ['collection', 'reminder', 'agreement'];
const MAX_STEPS = 6;
/**
 * A message that was on its way when the debtor wrote or paid may still arrive. The product allows itself 10 seconds
 * between its decision and the channel; half as much again is left for a busy machine.
 */
export const ON_ITS_WAY_MS = 15_000;

export const digits = (phone: string): string => phone.replace(/\D/g, '');
export const shown = ({ to, clock, channelMessageId }: Taken): string =>
  `${channelMessageId} to ${to} at ${new Date(clock).toISOString()}`;

/** Whether the message tells of an instalment that is due, in the words that its reader sees. */
export const isNotice = ({ told }: Pick<Taken, 'told'>): boolean => told !== undefined && told.kind !== 'agreed';

/** Whether the message reminds of a bill before it falls due, by its template or as the product says. */
export const isReminder = ({ template, row }: Contact): boolean =>
  template?.includes('before_due') === true || row?.purpose === 'reminder';

function personsByPhone({ log }: Facts): ReadonlyMap<string, string> {
  return new Map(ofKind(log, 'debt_imported').map(({ phone, cpf }) => [digits(phone), cpf]));
}

/**
 * Returns the messages that nobody has asked for: those that collect or remind, and notices of agreements. A template says
 * so by its name. A free text counts unless the product has a row that says otherwise and its reader finds no notice in it, so that a
 * message that the product knows nothing of counts too.
 */
export function collectionsOf(facts: Facts): readonly Contact[] {
  const rows = new Map(facts.messages.map((row) => [row.id, row]));
  const persons = personsByPhone(facts);
  return ofKind(facts.log, 'message_taken').flatMap((taken): Contact[] => {
    const row = rows.get(taken.messageId ?? '');
    const collects =
      taken.form === 'template'
        ? !taken.template?.includes('receipt')
        : taken.form === 'text' && (row === undefined || UNASKED.includes(row.purpose) || isNotice(taken));
    return collects ? [{ ...taken, cpf: persons.get(digits(taken.to)) ?? taken.to, row }] : [];
  });
}

export const contactsInsideHours: Rule = (facts) =>
  collectionsOf(facts)
    .filter(({ to, clock }) => !isOpen(to, clock))
    .map((contact) => `${shown(contact)}: no contact is allowed at this moment where the debtor is`);

export const contactsWithinCaps: Rule = (facts) => {
  const contacts = collectionsOf(facts);
  const by = [groupBy(contacts, ({ cpf }) => cpf), groupBy(contacts, ({ to }) => digits(to))];
  const broken = by.flatMap((groups) =>
    [...groups.values()].flatMap((group) => {
      const ordered = group.toSorted((a, b) => a.clock - b.clock);
      return ordered.flatMap((contact, index) => {
        const before = ordered[index - 1];
        const sameDay =
          before !== undefined &&
          offsetsOf(contact.to).some((zone) => dateAt(before.clock, zone) === dateAt(contact.clock, zone));
        const fourth = ordered[index - 3];
        return [
          ...(sameDay ? [`${shown(contact)}: the second contact of this person on one day`] : []),
          ...(fourth !== undefined && contact.clock - fourth.clock <= WEEK
            ? [`${shown(contact)}: the fourth contact of this person in 168 hours`]
            : []),
        ];
      });
    }),
  );
  return [...new Set(broken)];
};

/** Two reminders of one bill say the same on purpose, each on a day that the client has chosen. */
const isRepetition = (contact: Contact, before: Contact): boolean =>
  isReminder(contact) && isReminder(before)
    ? dateOf(contact.to, contact.clock) === dateOf(before.to, before.clock)
    : contact.clock - before.clock < 48 * HOUR;

export const noContactTwice: Rule = (facts) => {
  const sent = ofKind(facts.log, 'message_taken');
  const ids = groupBy(sent, ({ messageId, channelMessageId }) => messageId ?? channelMessageId);
  const twice = [...ids.values()].filter((group) => group.length > 1);
  const texts = groupBy(collectionsOf(facts), ({ clientId, to, textHash }) => `${clientId} ${digits(to)} ${textHash}`);
  const repeated = [...texts.values()].flatMap((group) =>
    group.slice(1).filter((contact, index) => isRepetition(contact, group[index]!)),
  );
  const steps = collectionsOf(facts).filter((contact) => !isNotice(contact) && !isReminder(contact));
  const perClient = groupBy(steps, ({ clientId, cpf }) => `${clientId} ${cpf}`);
  const tooMany = [...perClient.values()].filter((group) => group.length > MAX_STEPS);
  return [
    ...twice.map((group) => `${shown(group[1]!)}: the channel took this message ${group.length} times`),
    ...repeated.map((contact) => `${shown(contact)}: the same text within 48 hours`),
    ...tooMany.map((group) => `${shown(group.at(-1)!)}: ${group.length} contacts, and a sequence has ${MAX_STEPS}`),
  ];
};

interface Wish {
  readonly clientId: string;
  readonly from: string;
  readonly said: string;
  readonly promisedFor: string | null;
  /** When the service had accepted it. */
  readonly at: number;
  readonly clock: number;
}

export function acceptedWishes({ log }: Pick<Facts, 'log'>): readonly Wish[] {
  const wrote = new Map(ofKind(log, 'debtor_wrote').map((entry) => [entry.channelMessageId, entry]));
  return ofKind(log, 'message_accepted').flatMap(({ channelMessageId, at, clock }) => {
    const message = wrote.get(channelMessageId);
    if (message === undefined) return [];
    const { clientId, from, said, promisedFor } = message;
    return [{ clientId, from, said, promisedFor, at, clock }];
  });
}

/** The contacts that came after the person had asked something of the client, and were not on their way already. */
function contactsAfter(facts: Facts, said: string): readonly (readonly [Contact, Wish])[] {
  const wishes = acceptedWishes(facts).filter((wish) => wish.said === said);
  const persons = personsByPhone(facts);
  return collectionsOf(facts).flatMap((contact) =>
    wishes
      .filter(
        ({ clientId, from, at }) =>
          clientId === contact.clientId && persons.get(digits(from)) === contact.cpf && contact.at > at + ON_ITS_WAY_MS,
      )
      .slice(0, 1)
      .map((wish) => [contact, wish] as const),
  );
}

export const noContactAfterOptOut: Rule = (facts) =>
  contactsAfter(facts, 'opt_out').map(([contact]) => `${shown(contact)}: the person had asked not to be contacted`);

/** A person of this campaign has one debt when he or she disputes, so the dispute is about every debt with the client. */
export const noContactDuringDispute: Rule = (facts) =>
  contactsAfter(facts, 'dispute').map(([contact]) => `${shown(contact)}: the person had disputed the debt`);

export const noContactDuringPromise: Rule = (facts) =>
  contactsAfter(facts, 'promise')
    .filter(([{ to, clock }, { promisedFor }]) => {
      const free = promisedFor === null ? null : businessDayAfter(to, promisedFor);
      return free !== null && dateOf(to, clock) < free;
    })
    .map(([contact, { promisedFor }]) => `${shown(contact)}: the person has promised to pay on ${promisedFor}`);

type Bill = Extract<Entry, { readonly kind: 'debt_imported' }>;

/** Returns the bills that a contact is about: those of its row, or all of the person with the client without a row. */
function billsOf(facts: Facts): (contact: Contact) => readonly Bill[] {
  const imported = ofKind(facts.log, 'debt_imported');
  const ofPerson = groupBy(imported, ({ clientId, cpf }) => `${clientId} ${cpf}`);
  const byInvoice = new Map(imported.map((bill) => [`${bill.clientId} ${bill.invoiceId}`, bill]));
  const byId = new Map(
    facts.debts.flatMap(({ id, clientId, invoiceId }) => {
      const bill = byInvoice.get(`${clientId} ${invoiceId}`);
      return bill === undefined ? [] : [[id, bill] as const];
    }),
  );
  return ({ row, clientId, cpf }) =>
    row === undefined
      ? (ofPerson.get(`${clientId} ${cpf}`) ?? [])
      : [row.debtId, ...row.alsoAbout].flatMap((id) => byId.get(id) ?? []);
}

/** A message that collects is about bills that are overdue, and a reminder about bills that are not. */
export const noContactBeforeDue: Rule = (facts) => {
  const about = billsOf(facts);
  return collectionsOf(facts).flatMap((contact) => {
    const today = dateOf(contact.to, contact.clock);
    const bills = about(contact);
    if (isReminder(contact)) {
      const late = bills.find(({ dueDate }) => dueDate < today);
      return late === undefined ? [] : [`${shown(contact)}: reminds of ${late.invoiceId}, due on ${late.dueDate}`];
    }
    const early = bills.find(({ dueDate }) => today <= dueDate);
    return early === undefined ? [] : [`${shown(contact)}: collects ${early.invoiceId}, due on ${early.dueDate}`];
  });
};

/** A reminder has no word of debt, and comes on a day that the campaign has chosen, or on the last open day before it. */
export const remindersOnlyRemind: Rule = (facts) => {
  const about = billsOf(facts);
  return collectionsOf(facts)
    .filter(isReminder)
    .flatMap((contact) => {
      const { to, clock, speaksOfDebt, row } = contact;
      const today = dateOf(to, clock);
      const others = about(contact).filter(({ dueDate, reminders = [] }) =>
        reminders.every((days) => lastBusinessDay(to, daysBefore(dueDate, days)) !== today),
      );
      return [
        ...(speaksOfDebt === true ? [`${shown(contact)}: a reminder speaks of debt`] : []),
        ...(row !== undefined && row.purpose !== 'reminder'
          ? [`${shown(contact)}: a reminder is stored as ${row.purpose}`]
          : []),
        ...others.map(({ invoiceId }) => `${shown(contact)}: ${invoiceId} has no reminder on this day`),
      ];
    });
};

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * 24 * HOUR).toISOString().slice(0, 10);

/** The clock of the service may be set back a little between the booking and the sending. */
const CLOCK_STEP_MS = 60_000;

/** Every message that nobody has asked for counts for the caps before it leaves. */
export const everyContactIsBooked: Rule = (facts) => {
  const bookedAt = new Map(facts.bookings.map(({ messageId, at }) => [messageId, at]));
  return collectionsOf(facts).flatMap((contact) => {
    if (contact.row === undefined) return [];
    const at = bookedAt.get(contact.row.id);
    if (at === undefined) return [`${shown(contact)}: the contact was never booked`];
    return at > contact.clock + CLOCK_STEP_MS ? [`${shown(contact)}: the contact was booked after it was sent`] : [];
  });
};

export const noContactAfterPayment: Rule = (facts) => {
  // The money of an agreement pays its debts together, and only with its last centavo.
  const own = facts.charges.filter(({ agreementId, partOf }) => agreementId === null && partOf === null);
  const debtOf = new Map(own.map(({ id, debtId }) => [id, debtId]));
  const references = new Map(
    ofKind(facts.log, 'charge_made').map(({ providerPaymentId, reference }) => [providerPaymentId, reference]),
  );
  const paidAt = new Map<string, number>();
  for (const { providerPaymentId, at } of ofKind(facts.log, 'notification_accepted')) {
    const debtId = debtOf.get(references.get(providerPaymentId) ?? '');
    if (debtId !== undefined) paidAt.set(debtId, Math.min(at, paidAt.get(debtId) ?? at));
  }
  return collectionsOf(facts).flatMap((contact) => {
    const about = contact.row === undefined ? [] : [contact.row.debtId, ...contact.row.alsoAbout];
    return about
      .filter((id) => contact.at > (paidAt.get(id) ?? Number.POSITIVE_INFINITY) + ON_ITS_WAY_MS)
      .map((id) => `${shown(contact)}: the payment of debt ${id} had been notified`);
  });
};

/** Free texts that do not collect are answers, one for each message of the debtor. */
export const noReplyWithoutMessage: Rule = (facts) => {
  const collecting = new Set(collectionsOf(facts).map(({ channelMessageId }) => channelMessageId));
  const replies = ofKind(facts.log, 'message_taken').filter(
    ({ form, channelMessageId }) => form === 'text' && !collecting.has(channelMessageId),
  );
  const written = groupBy(ofKind(facts.log, 'debtor_wrote'), ({ clientId, from }) => `${clientId} ${digits(from)}`);
  return [...groupBy(replies, ({ clientId, to }) => `${clientId} ${digits(to)}`)].flatMap(([person, group]) =>
    group.length > (written.get(person)?.length ?? 0)
      ? [`${shown(group.at(-1)!)}: ${group.length} answers to ${written.get(person)?.length ?? 0} messages`]
      : [],
  );
};

const ARRIVED = ['sent', 'delivered', 'read'];

/** What the product says of its messages and what the channel has taken are the same. */
export const messagesAreAsTheChannelSaysThem: Rule = (facts) => {
  const taken = groupBy(ofKind(facts.log, 'message_taken'), ({ messageId }) => messageId ?? '');
  const out = facts.messages.filter(({ direction }) => direction === 'out');
  const known = new Set(out.map(({ id }) => id));
  return [
    ...ofKind(facts.log, 'message_taken')
      .filter(({ messageId }) => messageId === null || !known.has(messageId))
      .map((one) => `${shown(one)}: the product has no such message`),
    ...out
      .filter(({ id, delivery }) => ARRIVED.includes(delivery ?? '') && !taken.has(id))
      .map(({ id, delivery }) => `message ${id} is ${delivery}, and the channel has never taken it`),
    ...out
      .filter(({ id, delivery }) => delivery === 'failed' && taken.has(id))
      .map(({ id }) => `message ${id} is failed, and the channel has taken it`),
    ...out
      .filter(({ delivery }) => delivery === 'booked' || delivery === 'waiting')
      .map(({ id, delivery }) => `message ${id} is still ${delivery}`),
  ];
};
