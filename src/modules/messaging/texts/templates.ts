import type { Intent } from '../../debts/rules/intents.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { AGREEMENT_NOTICES, agreementNotice, noticeTemplate } from './agreement-notice.ts';
import { collectionMessage, collectionTemplate } from './collection.ts';
import { COLLECTION_BODIES, type CollectionStep, type CollectionTone } from './collection-bodies.ts';
import { dueReminder, dueReminderTemplate } from './due-reminder.ts';
import { RECEIPT_TEMPLATE, receiptMessage } from './receipt.ts';
import { numberedBody } from './values.ts';

/** It has the shape of the port's `TemplateText`, which documents may not import. */
export interface TemplateText {
  readonly name: string;
  readonly language: 'pt_BR';
  readonly body: string;
  readonly examples: readonly string[];
  readonly buttons: readonly { readonly title: string; readonly intent: Intent }[];
  readonly document: boolean;
  readonly pixCode?: string;
}

/** What a debtor may answer to a message that asks for money, by pressing a button. */
const BUTTONS = [
  { title: 'Pagar', intent: 'wants_to_pay' },
  { title: 'Já paguei', intent: 'already_paid' },
  { title: 'Não sou eu', intent: 'wrong_person' },
  { title: 'Parar', intent: 'opt_out' },
] as const;

/** Invented facts, from which the examples for the reviewers of a channel are made. */
const EXAMPLE: MessageFacts & { readonly receiptUrl: string } = {
  debtorName: 'Maria da Silva',
  debtorIsCompany: false,
  creditor: {
    name: 'Escola Aurora Ltda',
    cnpj: '11222333000181',
    address: 'Rua das Laranjeiras, 120, Centro, Recife/PE, CEP 50010-000',
    email: null,
  },
  amountCentavos: 15_000,
  dueDate: '2026-10-05',
  invoiceId: null,
  description: null,
  together: null,
  disputed: null,
  checkoutUrl: 'https://cobranca.example.com.br/checkout/7b0f3c1e-52d4-4c0e-9a37-1f6e0d2b8c45',
  shortUrl: 'https://cobranca.example.com.br/p/dew88HlLUTA6aNx9uDSuMRQ',
  brCode: null,
  receiptUrl: 'https://cobranca.example.com.br/api/receipts/download/QT-2026-ABCDEFGHJK5?sig=4f1c9a7e',
};
const OF_PERSON = 'https://cobranca.example.com.br/pay/7b0f3c1e-52d4-4c0e-9a37-1f6e0d2b8c45';
const SEVERAL = {
  ...EXAMPLE,
  together: { count: 3, amountCentavos: 45_000 },
  checkoutUrl: OF_PERSON,
  shortUrl: 'https://cobranca.example.com.br/p/pew88HlLUTA6aNx9uDSuMRQ',
};
const asCompany = (facts: MessageFacts): MessageFacts => ({
  ...facts,
  debtorName: 'Padaria Sol Nascente Ltda',
  debtorIsCompany: true,
});

const collectionText = (
  step: CollectionStep,
  tone: CollectionTone,
  wording: number,
  facts: MessageFacts,
): TemplateText => {
  const { name, body } = collectionTemplate(step, tone, facts, wording);
  const examples = collectionMessage(step, tone, facts, wording).template.parameters;
  return { name, language: 'pt_BR', body: numberedBody(body), examples, buttons: BUTTONS, document: false };
};

const collectionTexts = (Object.keys(COLLECTION_BODIES) as CollectionStep[]).flatMap((step) =>
  (Object.keys(COLLECTION_BODIES[step]) as CollectionTone[]).flatMap((tone) =>
    COLLECTION_BODIES[step][tone].flatMap((_, wording) =>
      [EXAMPLE, SEVERAL, asCompany(EXAMPLE), asCompany(SEVERAL)].map((facts) =>
        collectionText(step, tone, wording, facts),
      ),
    ),
  ),
);

const receiptText: TemplateText = {
  name: RECEIPT_TEMPLATE.name,
  language: 'pt_BR',
  body: numberedBody(RECEIPT_TEMPLATE.body),
  examples: receiptMessage(EXAMPLE, 'QT-2026-ABCDEFGHJK5').template.parameters,
  buttons: [],
  document: true,
};

const noticeTexts = AGREEMENT_NOTICES.map((notice): TemplateText => {
  const { name, body } = noticeTemplate(notice, EXAMPLE);
  const about = { notice, instalment: 2, of: 3, dueDate: '2026-11-10', lastDay: '2026-11-25' };
  const examples = agreementNotice(about, EXAMPLE).template.parameters;
  return { name, language: 'pt_BR', body: numberedBody(body), examples, buttons: BUTTONS, document: false };
});

/** Those without which no campaign that reminds before the due date can be launched. */
export const REMINDER_TEXTS: readonly TemplateText[] = [EXAMPLE, SEVERAL, asCompany(EXAMPLE), asCompany(SEVERAL)].map(
  (facts) => {
    const { name, body } = dueReminderTemplate(facts);
    const examples = dueReminder(facts).template.parameters;
    return { name, language: 'pt_BR', body: numberedBody(body), examples, buttons: BUTTONS, document: false };
  },
);

/** Some steps are worded alike in every tone. The first of two templates with one name is kept. */
const onceEach = (texts: readonly TemplateText[]): readonly TemplateText[] =>
  texts.filter(({ name }, index) => texts.findIndex((other) => other.name === name) === index);

/** The templates without which no campaign can be launched. */
export const LAUNCH_TEXTS: readonly TemplateText[] = onceEach([...collectionTexts, receiptText]);

/** The product's templates for channels that approve a text before it may be sent, one for each message. */
export const TEMPLATE_TEXTS: readonly TemplateText[] = [...LAUNCH_TEXTS, ...noticeTexts, ...REMINDER_TEXTS];

/** An invented code, from which a channel's reviewers see what the button copies. */
const EXAMPLE_CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406150.005802BR5913ESCOLA AURORA6006RECIFE62070503***6304BEE5';

/** The name of the same template with a button that copies the Pix code. */
export const pixTemplateName = (name: string): string => name.replace(/_v(\d+)$/, '_pix_v$1');

/** Meta lets a template with such a button have three buttons in all. */
const BESIDE_THE_CODE = BUTTONS.filter(({ intent }) => intent === 'already_paid' || intent === 'opt_out');

/**
 * The same words with a button that copies the Pix code, for messages to people who have answered before: what follows a
 * promise, and the notices of an agreement. They speak of one debt, or of one instalment.
 */
export const PIX_TEMPLATE_TEXTS: readonly TemplateText[] = onceEach([
  ...(Object.keys(COLLECTION_BODIES.after_promise) as CollectionTone[]).flatMap((tone) =>
    [EXAMPLE, asCompany(EXAMPLE)].map((facts) => collectionText('after_promise', tone, 0, facts)),
  ),
  ...noticeTexts,
]).map((text) => ({ ...text, name: pixTemplateName(text.name), buttons: BESIDE_THE_CODE, pixCode: EXAMPLE_CODE }));

const PIX_NAMES: ReadonlySet<string> = new Set(PIX_TEMPLATE_TEXTS.map(({ name }) => name));

/** Returns the template with the button, where there is one that says the same. */
export const withPixButton = <Template extends { readonly name: string }>(
  template: Template | null,
): Template | null => {
  const name = template === null ? null : pixTemplateName(template.name);
  return template === null || name === null || !PIX_NAMES.has(name) ? null : { ...template, name };
};
