import type { ContactQuestion } from '../src/modules/policy/rules/contact-question.ts';

type Pack = Pick<ContactQuestion, 'pack' | 'holidays'>;

/** A first message to a person whom nobody has contacted yet, on a Tuesday morning in São Paulo. */
export const contactQuestion = (asked: Pack & Partial<ContactQuestion>): ContactQuestion => ({
  channel: 'whatsapp',
  now: Date.parse('2026-11-24T10:00:00-03:00'),
  phoneAreaCode: '11',
  otherAreaCodes: [],
  debt: {
    status: 'IN_COLLECTION',
    dueDate: '2026-10-01',
    promisedDate: null,
    saidPaidAt: null,
    staffAnswersUntil: null,
  },
  suppressions: { optedOut: false, wrongPerson: false, elsewhere: false },
  campaignPaused: false,
  campaignArchived: false,
  clientInactive: false,
  clientUnverified: false,
  inboxWaiting: false,
  ledger: { person: [], phone: [] },
  ...asked,
});
