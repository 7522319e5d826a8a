import { formatCnpj } from '../../../kernel/cnpj.ts';
import { companyNameOf, firstNameOf } from '../../../kernel/first-name.ts';
import { formatReais } from '../../../kernel/money.ts';
import { fitsSms, foldForSms, STRICT_SEGMENTS, smsSize } from '../../../kernel/sms-text.ts';
import { formatCalendarDate } from '../../../kernel/texts/format.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import type { Centavos } from '../../terms/rules/owed-on.ts';
import { partsInWords } from '../../terms/texts/components.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { offersValues } from './offers.ts';

export type MessageValues = Readonly<Record<string, string>>;

/** The parts of what a text speaks of; null where nothing is ever added to the principal, so that a text may say so. */
export const chargedIn = ({ charged, together }: Pick<MessageFacts, 'charged' | 'together'>): Centavos | null =>
  (together === null ? charged : together.charged) ?? null;

/** What is charged changes with the days, so that a text says of which day an amount is. */
function chargedValues(facts: MessageFacts): Record<string, string | null> {
  const { amountCentavos, together } = facts;
  const charged = chargedIn(facts);
  if (charged === null) return {};
  return {
    [together === null ? 'amountToday' : 'totalToday']:
      `${formatReais((together ?? { amountCentavos }).amountCentavos)} hoje`,
    parts: partsInWords(charged, together === null ? 'da conta' : 'das contas'),
  };
}

/**
 * Returns known values only, so that filling a template that needs an unknown value throws. What a client has written
 * stands on one line.
 */
export const messageValues = (facts: MessageFacts, promisedDate: string | null = null): MessageValues => {
  const optional: Record<string, string | null> = {
    cnpj: facts.creditor.cnpj === null ? null : formatCnpj(facts.creditor.cnpj),
    address: facts.creditor.address === null ? null : oneLine(facts.creditor.address),
    creditorEmail: facts.creditor.email,
    invoiceId: facts.invoiceId === null ? null : oneLine(facts.invoiceId),
    description: facts.description === null ? null : oneLine(facts.description),
    brCode: facts.brCode,
    receiptUrl: facts.receiptUrl,
    rightsUrl: facts.rights?.url ?? null,
    rightsShortUrl: facts.rights?.shortUrl ?? null,
    promisedDate: promisedDate === null ? null : formatCalendarDate(promisedDate),
    count: facts.together === null ? null : String(facts.together.count),
    total: facts.together === null ? null : formatReais(facts.together.amountCentavos),
    disputed: facts.disputed === null ? null : oneLine(facts.disputed),
    ...chargedValues(facts),
    ...offersValues(facts),
  };
  const known = Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    // A company is addressed by its whole name.
    firstName: facts.debtorIsCompany ? companyNameOf(facts.debtorName) : firstNameOf(facts.debtorName),
    creditor: oneLine(facts.creditor.name),
    amount: formatReais(facts.amountCentavos),
    dueDate: formatCalendarDate(facts.dueDate),
    link: facts.shortUrl,
    ...Object.fromEntries(known),
  };
};

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

const valueNamed = (values: MessageValues, name: string): string => {
  const value = values[name];
  if (value === undefined) throw new Error(`The template names ${name}, which has no value`);
  return value;
};

/** Fills each `{{name}}` of a template; a placeholder without a value throws, so that it never reaches a debtor. */
export const fillTemplate = (template: string, values: MessageValues): string =>
  template.replace(PLACEHOLDER, (_, name: string) => valueNamed(values, name));

export const placeholdersOf = (template: string): string[] => [
  ...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name!)),
];

/** The only place that builds the name of a template that a channel approves: lower case, digits and underscores, as WhatsApp asks. */
export const templateName = (parts: readonly string[], version: number): string =>
  `quita_${parts.join('_')}_v${version}`;

/**
 * Numbers the placeholders of a body. Each occurrence has a number of its own, because no channel documents that one
 * number may stand twice.
 */
export const numberedBody = (body: string): string => {
  let count = 0;
  return body.replace(PLACEHOLDER, () => {
    count += 1;
    return `{{${count}}}`;
  });
};

/** The values of a numbered body, in order. */
export const parametersOf = (body: string, values: MessageValues): string[] =>
  [...body.matchAll(PLACEHOLDER)].map(([, name]) => valueNamed(values, name!));

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
