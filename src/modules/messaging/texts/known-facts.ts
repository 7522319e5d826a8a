import { localDate } from '../../../kernel/calendar.ts';
import { formatReais } from '../../../kernel/money.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { OPT_OUT_LINE } from './collection-bodies.ts';
import { offersKnown } from './offers.ts';
import { chargedIn, messageValues, SHORT_OPT_OUT_LINE, shortValues } from './values.ts';

const VALUES = { full: messageValues, short: shortValues };
export const OPT_OUT = { full: OPT_OUT_LINE, short: SHORT_OPT_OUT_LINE };

/**
 * Returns the facts that a text about a debt may contain. A message names the amount and the due date only after the
 * debtor has answered, because the phone may be somebody else's.
 *
 * Short texts have their own spelling of the same values: the alphabet of an SMS, a first name of at most 16 letters, an
 * address without its postal code, the short address of the page, a shorter line about silence. Each rule holds for them
 * with that spelling, because two segments have no room for the full one.
 */
export function knownFacts(
  facts: MessageFacts,
  {
    date,
    answered,
    texts,
  }: { readonly date: string | null; readonly answered: boolean; readonly texts: 'full' | 'short' },
): string[] {
  const { invoiceId, description, count, ...values } = VALUES[texts](facts, date);
  const { amount, amountToday, total, totalToday, parts, dueDate, disputed, ...always } = values;
  const charged = Object.values(chargedIn(facts) ?? {})
    .filter((part) => part > 0)
    .map(formatReais);
  const onceAnswered = [amount, amountToday, total, totalToday, parts, ...charged, dueDate, disputed, description];
  return [
    ...Object.values(always),
    facts.checkoutUrl,
    OPT_OUT[texts],
    // A bare count such as 3 would allow the digit 3 anywhere in a text.
    ...(count === undefined ? [] : [`${count} pagamentos`, `${count} contas`]),
    ...(answered ? [...onceAnswered.filter((value) => value !== undefined), ...offersKnown(facts)] : []),
    // A bare invoice number such as 7 would allow the digit 7 anywhere in a text.
    ...(answered && invoiceId !== undefined ? [`fatura ${invoiceId}`] : []),
  ];
}

/** The same message with and without the line that says how to stop, which only the first one of a day carries. */
export function sameTexts(text: string): string[] {
  const line = Object.values(OPT_OUT).find((one) => text.endsWith(one));
  const body = line === undefined ? text : text.slice(0, -line.length).trimEnd();
  return [body, `${body}\n\n${OPT_OUT.full}`, `${body} ${OPT_OUT.short}`];
}

interface Said {
  readonly today: string;
  readonly turns: readonly { readonly from: 'debtor' | 'creditor'; readonly text: string; readonly at: number }[];
}

/** Tells whether a message of the same day has said how to stop the messages; one a day says it. */
export const saysOptOutToday = ({ today, turns }: Said): boolean =>
  turns.some(
    ({ from, text, at }) =>
      from === 'creditor' &&
      localDate(at, BRASILIA) === today &&
      Object.values(OPT_OUT).some((line) => text.includes(line)),
  );

/** Where a day ends elsewhere, the line is at worst said once more. */
const BRASILIA = -3;
