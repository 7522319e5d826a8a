import { fitsSms, foldForSms } from '../../../kernel/sms-text.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { withSignature } from './collection-bodies.ts';
import { fillTemplate, messageValues, SHORT_OPT_OUT_LINE, shortValues } from './values.ts';

/** What a person at the client has written, as the debtor gets it. */
export interface StaffText {
  readonly text: string;
  /** Null when it does not fit into a short message, which is never cut. */
  readonly short: string | null;
}

const orNull = (short: string): string | null => (fitsSms(short) ? short : null);

export const staffReply = (text: string): StaffText => ({ text, short: orNull(foldForSms(text)) });

/** A message that opens the conversation is a collection message: its identity and the link are added by code. */
export function staffContact(text: string, facts: MessageFacts): StaffText {
  const { creditor } = facts;
  const identity = ['{{creditor}}', ...(creditor.cnpj === null ? [] : ['CNPJ {{cnpj}}'])];
  const signature = [...identity, ...(creditor.address === null ? [] : ['{{address}}'])].join(', ');
  const short = `{{staffText}}\n${signature}\n{{link}}\n${SHORT_OPT_OUT_LINE}`;
  return {
    text: fillTemplate(withSignature('{{staffText}}\n\nSua página para pagar ou responder:\n{{link}}', facts), {
      ...messageValues(facts),
      staffText: text,
    }),
    short: orNull(fillTemplate(foldForSms(short), { ...shortValues(facts), staffText: foldForSms(text) })),
  };
}
