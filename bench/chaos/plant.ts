import { acceptedWishes, collectionsOf, isReminder, ON_ITS_WAY_MS } from '../../testing/checker/contacts.ts';
import type { Facts } from '../../testing/checker/facts.ts';
import { ofKind, writeEntry } from '../../testing/checker/log.ts';

/** Faults of the product that a run must not pass with, and the rule that finds each. */
export const PLANTS = {
  'double-send': 'noContactTwice',
  'lost-payment': 'everyPaymentSettledOnce',
  'contact-after-optout': 'noContactAfterOptOut',
  'late-reminder': 'noContactBeforeDue',
  'reminder-of-debt': 'remindersOnlyRemind',
  'sent-before-booked': 'everyContactIsBooked',
} as const;
export type Plant = keyof typeof PLANTS;

const missing = (what: string): never => {
  throw new Error(`The run has ${what}, so this fault cannot be planted.`);
};

const HOUR = 3_600_000;
/** A reminder comes ten days before the due date at the earliest, and ten more where no day before it is open. */
const AFTER_EVERY_DUE_DATE_MS = 21 * 24 * HOUR;

/** Returns the real time at which a new entry has this clock. */
function realTimeOf(clock: number, { log }: Facts): number {
  const last = log.at(-1);
  return last === undefined ? clock : clock - (last.clock - last.at);
}

/** Adds to the log of the fakes what they would have seen from a product with this fault. */
export function plant(name: Plant, facts: Facts, logFile: string): void {
  const contacts = collectionsOf(facts);
  const [contact = missing('no contact')] = contacts;
  const { kind, clientId, messageId, to, form, template, textHash } = contact;
  const taken = { kind, clientId, messageId, to, form, template, textHash } as const;
  switch (name) {
    case 'double-send':
      writeEntry(logFile, { ...taken, channelMessageId: 'wamid.planted' });
      break;
    case 'sent-before-booked':
      writeEntry(logFile, { ...taken, channelMessageId: 'wamid.planted' }, realTimeOf(contact.clock - HOUR, facts));
      break;
    case 'late-reminder':
    case 'reminder-of-debt': {
      const [reminder = missing('no reminder')] = contacts.filter(isReminder);
      const { clientId: sender, to: phone, template: reminding, clock } = reminder;
      const of = {
        clientId: sender,
        to: phone,
        template: reminding,
        messageId: null,
        channelMessageId: 'wamid.planted',
      };
      const at = realTimeOf(name === 'late-reminder' ? clock + AFTER_EVERY_DUE_DATE_MS : clock, facts);
      writeEntry(logFile, { ...taken, ...of, textHash: 'planted', speaksOfDebt: name === 'reminder-of-debt' }, at);
      break;
    }
    case 'contact-after-optout': {
      const wishes = acceptedWishes(facts).filter(({ said }) => said === 'opt_out');
      const [wish = missing('nobody who asked for silence')] = wishes;
      const planted = { clientId: wish.clientId, to: wish.from, messageId: 'planted', textHash: 'planted' };
      // Later than a message that was on its way.
      const at = Math.max(Date.now(), wish.at + 2 * ON_ITS_WAY_MS);
      writeEntry(logFile, { ...taken, ...planted, channelMessageId: 'wamid.planted' }, at);
      break;
    }
    case 'lost-payment': {
      const paid = new Set(ofKind(facts.log, 'payment_made').map(({ providerPaymentId }) => providerPaymentId));
      const unpaid = ofKind(facts.log, 'charge_made').filter(({ providerPaymentId }) => !paid.has(providerPaymentId));
      const [charge = missing('no code that nobody has paid')] = unpaid;
      const { clientId: payee, providerPaymentId } = charge;
      writeEntry(logFile, { kind: 'payment_made', clientId: payee, providerPaymentId, centavos: 10_000 });
    }
  }
}
