import type { MessagePurpose } from '../../../kernel/message-purposes.ts';
import { genuineLine } from '../../../kernel/texts/genuine.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import { type Email, htmlPage } from '../../../platform/mail/email.ts';

export interface MessageEmailInput {
  readonly creditorName: string;
  /** The message as every channel sends it, with the creditor's identity and the words that end the messages. */
  readonly text: string;
  readonly purpose: MessagePurpose;
  /** The address that ends the messages; null for a message after which none would come anyway. */
  readonly unsubscribeUrl: string | null;
  /** The page of rights; null for a mail about no debt. */
  readonly rightsUrl: string | null;
  readonly publicUrl: string;
}

/**
 * The e-mail that carries a message to a debtor. The subject names neither amount nor due date, nor that something is
 * owed, because another person may read it. All subjects of a conversation are equal, so that mail programs show it as
 * one.
 */
export function messageEmail(input: MessageEmailInput): Email {
  const { creditorName, text, purpose, unsubscribeUrl, rightsUrl, publicUrl } = input;
  const creditor = oneLine(creditorName);
  const footnotes = [
    genuineLine(publicUrl),
    ...(unsubscribeUrl === null ? [] : [unsubscribeLine(creditor, unsubscribeUrl)]),
    ...(rightsUrl === null ? [] : [rightsLine(rightsUrl)]),
  ];
  const subject = purpose === 'receipt' ? `Pagamento confirmado: ${creditor}` : `Sobre a sua conta com ${creditor}`;
  return {
    subject,
    text: `${[text, ...footnotes].join('\n\n')}\n`,
    html: htmlPage({ heading: creditor, paragraphs: text.split(/\n{2,}/), footnotes }),
  };
}

/** Begins the line about rights, by which a quoted one is recognised in an answer. */
export const RIGHTS_WORDS = 'Os seus dados e os seus direitos estão nesta página:';

/** Begins the line about silence, by which a quoted one is recognised in an answer. */
export const UNSUBSCRIBE_WORDS = 'Se não quiser mais receber mensagens de';

/** Stands at the end of every e-mail to a debtor. */
export const rightsLine = (url: string): string => `${RIGHTS_WORDS} ${url}`;

const unsubscribeLine = (creditor: string, url: string): string =>
  `${UNSUBSCRIBE_WORDS} ${creditor}, abra este endereço: ${url}`;
