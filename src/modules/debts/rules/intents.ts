/** The intents that a debtor's message may have; the timeline uses the same names. */
export const INTENTS = [
  'wants_to_pay',
  'promise',
  'already_paid',
  'dispute',
  'opt_out',
  'wrong_person',
  'question',
  'negotiate',
  'hardship',
  'human',
  'other',
  // Of what a client offers: they are found by rules alone, and only where it offers something.
  'accept_offer',
  'propose',
] as const;

export type Intent = (typeof INTENTS)[number];

/** The topics of a question; each topic has an answer that uses stored data only. */
export const QUESTION_TOPICS = [
  'amount',
  'origin',
  'due_date',
  'creditor',
  'cnpj',
  'fraud',
  'receipt',
  'bureau',
  'how_to_pay',
  'privacy',
  'unknown',
] as const;

export type QuestionTopic = (typeof QUESTION_TOPICS)[number];
