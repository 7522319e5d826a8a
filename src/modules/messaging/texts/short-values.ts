import { fitsSms, foldForSms, STRICT_SEGMENTS, smsSize } from '../../../kernel/sms-text.ts';
import { fillTemplate } from './fill.ts';
import { type MessageFacts, type MessageValues, messageValues } from './values.ts';

/** How a short text says how to stop the messages. */
export const SHORT_OPT_OUT_LINE = 'Para sair, responda PARAR.';

/** Longer first names are rare, and mostly several names that a client's file has joined. */
export const MAX_SHORT_NAME_LENGTH = 16;

/**
 * The address as short texts name it: street, number, district, city and state. The postal code is left out, because
 * the law asks for an address, and the page behind the link shows all of it.
 */
const withoutPostalCode = (address: string): string => address.replace(/, CEP \d{5}-?\d{3}$/, '');

/** The values of `messageValues` as an SMS writes them. */
export const shortValues = (facts: MessageFacts, promisedDate: string | null = null): MessageValues => {
  const { address, ...others } = messageValues(facts, promisedDate);
  const values = { ...others, ...(address === undefined ? {} : { address: withoutPostalCode(address) }) };
  const folded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, foldForSms(value)]));
  return { ...folded, firstName: shortName(folded['firstName']!) };
};

/** A name in another script would more than halve the room of the whole text, so it is left out like a missing one. */
const shortName = (folded: string): string =>
  smsSize(folded, STRICT_SEGMENTS).alphabet === 'gsm7' ? folded.slice(0, MAX_SHORT_NAME_LENGTH) : 'cliente';

/**
 * Fills the templates, the most telling one first, until a text fits into the segments of one message. The last one is
 * the shortest; a channel refuses its text when even that does not fit.
 */
export const firstThatFits = (templates: readonly string[], values: MessageValues): string => {
  let text = '';
  for (const template of templates) {
    text = fillTemplate(foldForSms(template), values);
    if (fitsSms(text)) break;
  }
  return text;
};
