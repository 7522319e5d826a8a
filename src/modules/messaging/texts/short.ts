/**
 * The messages for channels that take short texts only: at most two segments of an SMS, in the 7-bit alphabet. They
 * carry what the full ones carry: who writes, with CNPJ and address (Consumer Code, art. 42-A), the debtor's first name,
 * the link and how to stop the messages. Neither amount nor due date is named before the debtor has answered.
 */
import { fitsSms } from '../../../kernel/sms-text.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import type { CollectionStep } from './collection-bodies.ts';
import { firstThatFits, MAX_SHORT_NAME_LENGTH, type MessageValues, SHORT_OPT_OUT_LINE, shortValues } from './values.ts';

interface ShortBodies {
  /** The most telling text first. */
  readonly one: readonly string[];
  readonly several: readonly string[];
}

/** Written with accents, which the alphabet of an SMS does not have; they are removed when the text is filled. */
export const SHORT_BODIES: Readonly<Record<CollectionStep | 'reminder_again', ShortBodies>> = {
  first: {
    one: [
      '{{firstName}}, há um pagamento em aberto em seu nome. Veja os detalhes e pague por Pix: {{link}} Se você não é {{firstName}}, avise.',
      '{{firstName}}, há um pagamento em aberto em seu nome. Detalhes e Pix: {{link}} Se você não é {{firstName}}, avise.',
      '{{firstName}}, há um pagamento em aberto em seu nome. Detalhes e Pix: {{link}}',
      '{{firstName}}, há pagamento em aberto. Detalhes e Pix: {{link}}',
    ],
    several: [
      '{{firstName}}, há {{count}} pagamentos em aberto em seu nome. Veja os detalhes e pague por Pix: {{link}} Se você não é {{firstName}}, avise.',
      '{{firstName}}, há {{count}} pagamentos em aberto em seu nome. Detalhes e Pix: {{link}} Se você não é {{firstName}}, avise.',
      '{{firstName}}, há {{count}} pagamentos em aberto em seu nome. Detalhes e Pix: {{link}}',
      '{{firstName}}, há {{count}} pagamentos em aberto. Detalhes e Pix: {{link}}',
    ],
  },
  reminder: {
    one: [
      '{{firstName}}, o pagamento continua em aberto. Pague por Pix: {{link}} Se preferir, responda com o dia em que consegue pagar.',
      '{{firstName}}, o pagamento continua em aberto. Pix: {{link}} Ou responda com o dia em que consegue pagar.',
      '{{firstName}}, o pagamento continua em aberto. Pix: {{link}}',
    ],
    several: [
      '{{firstName}}, {{count}} pagamentos continuam em aberto. Pague por Pix: {{link}} Se preferir, responda com o dia em que consegue pagar.',
      '{{firstName}}, {{count}} pagamentos continuam em aberto. Pix: {{link}} Ou responda com o dia em que consegue pagar.',
      '{{firstName}}, {{count}} pagamentos continuam em aberto. Pix: {{link}}',
    ],
  },
  reminder_again: {
    one: [
      '{{firstName}}, sabemos que às vezes o mês aperta. Responda com o dia que fica bom. Detalhes e Pix: {{link}}',
      '{{firstName}}, responda com o dia que fica bom para pagar. Detalhes e Pix: {{link}}',
      '{{firstName}}, diga o dia que fica bom. Detalhes e Pix: {{link}}',
    ],
    several: [
      '{{firstName}}, sabemos que às vezes o mês aperta. Responda com o dia que fica bom para {{count}} pagamentos. Pix: {{link}}',
      '{{firstName}}, responda com o dia que fica bom para {{count}} pagamentos. Pix: {{link}}',
      '{{firstName}}, diga o dia que fica bom. Detalhes e Pix: {{link}}',
    ],
  },
  after_dispute: {
    one: [
      '{{firstName}}, a equipe conferiu o que você escreveu, e a conta continua em aberto. Detalhes: {{link}} Se não concorda, responda com o motivo.',
      '{{firstName}}, a equipe conferiu, e a conta continua em aberto: {{link}} Se não concorda, responda.',
      '{{firstName}}, conferimos: segue em aberto. Detalhes: {{link}}',
    ],
    several: [
      '{{firstName}}, a equipe conferiu o que você escreveu, e {{count}} contas continuam em aberto. Detalhes: {{link}} Se não concorda, responda com o motivo.',
      '{{firstName}}, a equipe conferiu, e {{count}} contas continuam em aberto: {{link}} Se não concorda, responda.',
      '{{firstName}}, conferimos: segue em aberto. Detalhes: {{link}}',
    ],
  },
  after_said_paid: {
    one: [
      '{{firstName}}, a equipe procurou o pagamento e não o encontrou. Se já pagou, responda com o comprovante. Detalhes: {{link}}',
      '{{firstName}}, não encontramos o pagamento. Se já pagou, responda com o comprovante: {{link}}',
      '{{firstName}}, não achamos o pagamento. Detalhes: {{link}}',
    ],
    several: [
      '{{firstName}}, a equipe procurou o pagamento e não o encontrou. Se já pagou, responda com o comprovante. Detalhes das {{count}} contas: {{link}}',
      '{{firstName}}, não encontramos o pagamento. Se já pagou, responda com o comprovante: {{link}}',
      '{{firstName}}, não achamos o pagamento. Detalhes: {{link}}',
    ],
  },
  after_promise: {
    one: [
      '{{firstName}}, o dia combinado passou e o pagamento continua em aberto. Pague por Pix: {{link}} Se precisar, responda com outro dia.',
      '{{firstName}}, o dia combinado passou. Detalhes e Pix: {{link}} Se precisar, responda com outro dia.',
      '{{firstName}}, o dia combinado passou. Detalhes e Pix: {{link}}',
    ],
    several: [
      '{{firstName}}, o dia combinado passou e {{count}} pagamentos continuam em aberto. Pague por Pix: {{link}} Se precisar, responda com outro dia.',
      '{{firstName}}, o dia combinado passou. Detalhes e Pix: {{link}} Se precisar, responda com outro dia.',
      '{{firstName}}, o dia combinado passou. Detalhes e Pix: {{link}}',
    ],
  },
  last: {
    one: [
      '{{firstName}}, esta é a última mensagem automática sobre o pagamento em aberto. Pague por Pix: {{link}} Em caso de dúvida, responda.',
      '{{firstName}}, última mensagem automática sobre o pagamento em aberto. Pix: {{link}} Em caso de dúvida, responda.',
      '{{firstName}}, última mensagem automática sobre o pagamento em aberto. Pix: {{link}}',
      '{{firstName}}, última mensagem automática. Detalhes e Pix: {{link}}',
    ],
    several: [
      '{{firstName}}, esta é a última mensagem automática sobre {{count}} pagamentos em aberto. Pague por Pix: {{link}} Em caso de dúvida, responda.',
      '{{firstName}}, última mensagem automática sobre {{count}} pagamentos em aberto. Pix: {{link}} Em caso de dúvida, responda.',
      '{{firstName}}, última mensagem automática sobre {{count}} pagamentos em aberto. Pix: {{link}}',
      '{{firstName}}, última mensagem automática. Detalhes e Pix: {{link}}',
    ],
  },
};

/**
 * The creditor's name comes first, so that a message from an unknown number says at once who writes; it follows the
 * shortest body when there is room for it only there. Identity and opt-out line are added by code, so that no author of
 * a body can leave them out.
 */
const templatesOf = (step: keyof typeof SHORT_BODIES, facts: MessageFacts): readonly string[] =>
  identified(SHORT_BODIES[step][facts.together === null ? 'one' : 'several'], facts);

const identified = (bodies: readonly string[], { creditor }: Pick<MessageFacts, 'creditor'>): readonly string[] => {
  const numbers = [
    ...(creditor.cnpj === null ? [] : ['CNPJ {{cnpj}}']),
    ...(creditor.address === null ? [] : ['{{address}}']),
  ];
  const identity = (parts: readonly string[]): string => (parts.length === 0 ? '' : `${parts.join(', ')}. `);
  return [
    ...bodies.map((body) => `{{creditor}}: ${body} ${identity(numbers)}${SHORT_OPT_OUT_LINE}`),
    `${bodies.at(-1)!} ${identity(['{{creditor}}', ...numbers])}${SHORT_OPT_OUT_LINE}`,
  ];
};

/** Returns the most telling of the bodies that fits with who writes and how to stop the messages. */
export const shortIdentified = (
  bodies: readonly string[],
  facts: Pick<MessageFacts, 'creditor'>,
  values: MessageValues,
): string => firstThatFits(identified(bodies, facts), values);

/** Two wordings of the reminder take turns. */
export const shortCollectionMessage = (step: CollectionStep, facts: MessageFacts, earlierReminders = 0): string =>
  firstThatFits(
    templatesOf(step === 'reminder' && earlierReminders % 2 === 1 ? 'reminder_again' : step, facts),
    shortValues(facts),
  );

/** A short message carries no document, so it names the address at which the receipt is downloaded. */
export const shortReceiptMessage = (
  facts: MessageFacts & { readonly receiptUrl: string },
  protocol: string,
): string => {
  const confirmed = 'Pagamento confirmado, {{firstName}}. Obrigado!';
  return firstThatFits(
    [
      `${confirmed} O valor de {{amount}} quitou a conta com a {{creditor}}. Termo de quitação {{protocol}}: {{receiptUrl}}`,
      `${confirmed} O valor de {{amount}} quitou a conta. Termo de quitação {{protocol}}: {{receiptUrl}}`,
      `${confirmed} O valor de {{amount}} quitou a conta. Termo de quitação {{protocol}}: {{link}}`,
    ],
    { ...shortValues(facts), protocol },
  );
};

/** The most debts of one person for which the size of the texts is measured. */
const MAX_DEBTS = 999;

/**
 * Says whether every collection message of this creditor fits, whatever the debtor's name, and if not, how many
 * characters of its name and address are too many. The law asks for both in each message, so a campaign over short
 * texts is refused in that case, rather than sent with half an address or in more segments than the client expects.
 * `link` is the short address of any page, because all are equally long.
 */
export const fitsShortTexts = (
  creditor: MessageFacts['creditor'],
  link: string,
): { readonly fits: true } | { readonly fits: false; readonly excess: number } => {
  if (allFit(creditor, link)) return { fits: true };
  let tooFew = 0;
  let enough = (creditor.address ?? '').length + creditor.name.length;
  while (enough - tooFew > 1) {
    const removed = Math.floor((tooFew + enough) / 2);
    if (allFit(shortened(creditor, removed), link)) enough = removed;
    else tooFew = removed;
  }
  return { fits: false, excess: enough };
};

/** Removes characters from the end of the address, and then from the end of the name. */
const shortened = (creditor: MessageFacts['creditor'], removed: number): MessageFacts['creditor'] => {
  const { address, name } = creditor;
  const ofName = Math.max(removed - (address ?? '').length, 0);
  return {
    ...creditor,
    name: name.slice(0, name.length - ofName),
    address: address === null ? null : address.slice(0, Math.max(address.length - removed, 0)),
  };
};

const allFit = (creditor: MessageFacts['creditor'], link: string): boolean =>
  [null, { count: MAX_DEBTS, amountCentavos: 1 }].every((together) => {
    const facts: MessageFacts = {
      debtorName: 'M'.repeat(MAX_SHORT_NAME_LENGTH),
      debtorIsCompany: false,
      creditor,
      amountCentavos: 1,
      dueDate: '2026-01-01',
      invoiceId: null,
      description: null,
      together,
      disputed: null,
      checkoutUrl: link,
      shortUrl: link,
      brCode: null,
      receiptUrl: null,
    };
    const values = shortValues(facts);
    return (Object.keys(SHORT_BODIES) as (keyof typeof SHORT_BODIES)[]).every((step) =>
      fitsSms(firstThatFits(templatesOf(step, facts), values)),
    );
  });
