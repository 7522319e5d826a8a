/** What a debtor's message may want; the names are those of the timeline. */
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
] as const;

export type Intent = (typeof INTENTS)[number];

/** What a question is about; each has an answer made from data alone. */
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
