import { fitsSms, foldForSms } from '../../../kernel/sms-text.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import {
  COLLECTION_BODIES,
  type CollectionStep,
  type CollectionTone,
  collectionBody,
  withSignature,
} from './collection-bodies.ts';
import { fillTemplate, type MessageValues, messageValues, SHORT_OPT_OUT_LINE, shortValues } from './values.ts';

/** The client's own words of a step. Identity of the creditor and opt-out line are added by code, as to the product's. */
export interface Wording {
  readonly text: string;
  /** For channels that take short texts; null for the product's. */
  readonly short: string | null;
}

/** What a client may write between double braces, and the value that stands there. */
export const WORDING_PLACEHOLDERS: Readonly<Record<string, string>> = {
  nome: 'firstName',
  credor: 'creditor',
  link: 'link',
  pagamentos: 'payments',
};

/** A message without them would not say whom it is for, or would lead nowhere. */
export const REQUIRED_PLACEHOLDERS = ['nome', 'link'] as const;

const PLACEHOLDER = /\{\{([^{}]{0,100})\}\}/g;

/** The names between double braces, as they are written. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!.trim());

/** The product's names of the placeholders. An unknown one stays, and filling it throws. */
const asTemplate = (text: string): string =>
  text.replace(PLACEHOLDER, (_, name: string) => `{{${WORDING_PLACEHOLDERS[name.trim()] ?? 'unknown'}}}`);

const OWN_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WORDING_PLACEHOLDERS).map(([own, ours]) => [ours, own]),
);

export interface ProductWording {
  readonly kind: CollectionStep;
  readonly tone: CollectionTone;
  readonly text: string;
}

/** The product's words to a person with one debt, with the placeholders that a client writes, to begin own words from. */
export const PRODUCT_WORDINGS: readonly ProductWording[] = (Object.keys(COLLECTION_BODIES) as CollectionStep[]).flatMap(
  (kind) =>
    (Object.keys(COLLECTION_BODIES[kind]) as CollectionTone[]).map((tone) => ({
      kind,
      tone,
      text: collectionBody(kind, tone, { together: null, debtorIsCompany: false }).body.replace(
        PLACEHOLDER,
        (whole, name: string) => (OWN_NAMES[name] === undefined ? whole : `{{${OWN_NAMES[name]}}}`),
      ),
    })),
);

const withPayments = (values: MessageValues, { together }: MessageFacts): MessageValues => ({
  ...values,
  payments: together === null ? 'um pagamento em aberto' : `${together.count} pagamentos em aberto`,
});

export const ownText = ({ text }: Wording, facts: MessageFacts): string =>
  fillTemplate(withSignature(asTemplate(text), facts), withPayments(messageValues(facts), facts));

/** Returns null when there are no own words, or when they do not fit into two segments of an SMS for this debtor. */
export const ownShortText = ({ short }: Wording, facts: MessageFacts): string | null => {
  if (short === null) return null;
  const { cnpj, address } = facts.creditor;
  const numbers = [...(cnpj === null ? [] : ['CNPJ {{cnpj}}']), ...(address === null ? [] : ['{{address}}'])];
  const identity = numbers.length === 0 ? '' : `${numbers.join(', ')}. `;
  const template = `{{creditor}}: ${asTemplate(short)} ${identity}${SHORT_OPT_OUT_LINE}`;
  const filled = fillTemplate(foldForSms(template), withPayments(shortValues(facts), facts));
  return fitsSms(filled) ? filled : null;
};
