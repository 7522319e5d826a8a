import type { MessageFacts } from '../rules/message-facts.ts';

/** A changed wording is a new version, because a channel has approved the old one under its own name. */
export const COLLECTION_VERSION = 3;

export type CollectionStep = 'first' | 'reminder' | 'after_promise' | 'after_dispute' | 'after_said_paid' | 'last';
export type CollectionTone = 'friendly' | 'neutral' | 'firm';

/** The wordings of a step, which take turns, so that nobody gets the same text twice in a row. */
type Wordings = readonly [string, ...string[]];

/** What a person at the client has found out is said in one tone. */
const inOneTone = (wording: string): Readonly<Record<CollectionTone, Wordings>> => ({
  friendly: [wording],
  neutral: [wording],
  firm: [wording],
});
export const STEPS_IN_ONE_TONE: readonly CollectionStep[] = ['after_dispute', 'after_said_paid'];

/**
 * The texts name neither amount nor due date, because another person may hold the phone; the page shows both. The link
 * stands on a line of its own without a full stop, which some phones take into the address. The texts are templates at
 * WhatsApp too, which refuses a text that begins or ends with a value, and values without words between.
 */
export const COLLECTION_BODIES: Readonly<Record<CollectionStep, Readonly<Record<CollectionTone, Wordings>>>> = {
  first: {
    friendly: [
      'Oi, {{firstName}}, tudo bem? Aqui é o assistente virtual da {{creditor}}. Ficou um pagamento em aberto com a gente. Nesta página você confere do que se trata e, se estiver tudo certo, paga por Pix:\n{{link}}\n\nJá pagou, não reconhece ou prefere outro dia? Responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
    ],
    neutral: [
      'Olá, {{firstName}}. Aqui é o assistente virtual da {{creditor}}. Consta um pagamento em aberto em seu nome. Os detalhes e o Pix estão nesta página:\n{{link}}\n\nJá pagou, não reconhece ou prefere outro dia? Responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
    ],
    firm: [
      'Olá, {{firstName}}. Aqui é o assistente virtual da {{creditor}}. Consta um pagamento vencido em seu nome. Os detalhes e o Pix para quitar estão nesta página:\n{{link}}\n\nSe já pagou ou não reconhece, responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
    ],
  },
  reminder: {
    friendly: [
      'Oi, {{firstName}}, tudo bem? Passando para lembrar do pagamento em aberto com a {{creditor}}. Se for mais fácil, responda com o dia em que consegue pagar. O Pix está nesta página:\n{{link}}',
      'Oi, {{firstName}}! É o assistente da {{creditor}}. O pagamento continua em aberto, e a página com os detalhes e o Pix é a mesma:\n{{link}}\n\nSe alguma coisa não bate, responda por aqui mesmo.',
    ],
    neutral: [
      'Olá, {{firstName}}. É o assistente da {{creditor}}. Sabemos que às vezes o mês aperta. Se agora não dá, responda com o dia que fica bom, ou conte o que houve: uma pessoa da equipe lê. Se já dá para acertar, a página continua aqui:\n{{link}}',
      'Olá, {{firstName}}. O pagamento com a {{creditor}} continua em aberto. Você pode pagar por Pix na página abaixo, ou responder com o dia em que consegue pagar:\n{{link}}',
    ],
    firm: [
      'Olá, {{firstName}}. O pagamento vencido com a {{creditor}} continua em aberto. Responda com o dia em que consegue pagar, ou diga o que não está certo. O Pix para quitar está nesta página:\n{{link}}',
      'Olá, {{firstName}}. Ainda não identificamos o pagamento em aberto com a {{creditor}}. Se você não concorda com a cobrança ou precisa de ajuda, responda esta mensagem. O Pix para quitar está nesta página:\n{{link}}',
    ],
  },
  after_promise: {
    friendly: [
      'Oi, {{firstName}}! O dia que você indicou para o pagamento com a {{creditor}} já passou, e ainda não vimos o Pix. Se precisar de outro dia, é só responder. A página é esta:\n{{link}}',
    ],
    neutral: [
      'Olá, {{firstName}}. O dia combinado para o pagamento com a {{creditor}} passou, e ele continua em aberto. Se precisar de outro dia, responda por aqui. O Pix está nesta página:\n{{link}}',
    ],
    firm: [
      'Olá, {{firstName}}. O dia combinado para o pagamento com a {{creditor}} passou, e ele não foi identificado. Se algo mudou, responda esta mensagem. O Pix está nesta página:\n{{link}}',
    ],
  },
  after_dispute: inOneTone(
    'Olá, {{firstName}}. A equipe da {{creditor}} conferiu o que você escreveu, e a conta continua em aberto. Os detalhes estão nesta página:\n{{link}}\n\nSe ainda não concorda, responda dizendo o motivo: quem lê é uma pessoa da equipe.',
  ),
  after_said_paid: inOneTone(
    'Olá, {{firstName}}. A equipe da {{creditor}} procurou o pagamento de que você falou e não o encontrou. Se ele foi feito, responda com o comprovante, ou diga o dia e como pagou: quem lê é uma pessoa da equipe. Os detalhes da conta estão nesta página:\n{{link}}',
  ),
  last: {
    friendly: [
      'Oi, {{firstName}}. Esta é a nossa última mensagem automática sobre o pagamento em aberto com a {{creditor}}. Se quiser pagar, ou só ver os detalhes, a página continua aqui:\n{{link}}\n\nSe precisar de ajuda, é só responder.',
    ],
    neutral: [
      'Olá, {{firstName}}. Esta é a última mensagem automática sobre o pagamento em aberto com a {{creditor}}. Os detalhes e o Pix continuam nesta página:\n{{link}}\n\nSe tiver alguma dúvida, é só responder.',
    ],
    firm: [
      'Olá, {{firstName}}. Esta é a última mensagem automática sobre o pagamento vencido com a {{creditor}}. O Pix para quitar continua nesta página:\n{{link}}\n\nSe não concorda com a cobrança, responda esta mensagem.',
    ],
  },
};

/** The same steps for a person with several open debts: one message speaks of all of them. */
export const SEVERAL_DEBTS_BODIES: typeof COLLECTION_BODIES = {
  first: {
    friendly: [
      'Oi, {{firstName}}, tudo bem? Aqui é o assistente virtual da {{creditor}}. Ficaram {{count}} pagamentos em aberto com a gente. Nesta página você confere do que se trata e, se estiver tudo certo, paga cada um por Pix:\n{{link}}\n\nJá pagou, não reconhece ou prefere outro dia? Responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
    ],
    neutral: [
      'Olá, {{firstName}}. Aqui é o assistente virtual da {{creditor}}. Constam {{count}} pagamentos em aberto em seu nome. Os detalhes e o Pix de cada um estão nesta página:\n{{link}}\n\nJá pagou, não reconhece ou prefere outro dia? Responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
    ],
    firm: [
      'Olá, {{firstName}}. Aqui é o assistente virtual da {{creditor}}. Constam {{count}} pagamentos vencidos em seu nome. Os detalhes e o Pix para quitar cada um estão nesta página:\n{{link}}\n\nSe já pagou ou não reconhece, responda por aqui mesmo.\nNão é {{firstName}}? Avise, e não escrevemos mais para este número.',
    ],
  },
  reminder: {
    friendly: [
      'Oi, {{firstName}}, tudo bem? Passando para lembrar dos {{count}} pagamentos em aberto com a {{creditor}}. Se for mais fácil, responda com o dia em que consegue pagar. O Pix de cada um está nesta página:\n{{link}}',
      'Oi, {{firstName}}! É o assistente da {{creditor}}. Continuam em aberto {{count}} pagamentos, e a página com os detalhes e o Pix de cada um é a mesma:\n{{link}}\n\nSe alguma coisa não bate, responda por aqui mesmo.',
    ],
    neutral: [
      'Olá, {{firstName}}. É o assistente da {{creditor}}, sobre os {{count}} pagamentos em aberto. Sabemos que às vezes o mês aperta. Se agora não dá, responda com o dia que fica bom, ou conte o que houve: uma pessoa da equipe lê. Se já dá para acertar, a página continua aqui:\n{{link}}',
      'Olá, {{firstName}}. Continuam em aberto {{count}} pagamentos com a {{creditor}}. Você pode pagar cada um por Pix na página abaixo, ou responder com o dia em que consegue pagar:\n{{link}}',
    ],
    firm: [
      'Olá, {{firstName}}. Os {{count}} pagamentos vencidos com a {{creditor}} continuam em aberto. Responda com o dia em que consegue pagar, ou diga o que não está certo. O Pix para quitar cada um está nesta página:\n{{link}}',
      'Olá, {{firstName}}. Ainda não identificamos o pagamento de {{count}} contas com a {{creditor}}. Se você não concorda com alguma delas ou precisa de ajuda, responda esta mensagem. O Pix para quitar cada uma está nesta página:\n{{link}}',
    ],
  },
  after_promise: {
    friendly: [
      'Oi, {{firstName}}! O dia que você indicou para pagar a {{creditor}} já passou, e {{count}} pagamentos continuam em aberto. Se precisar de outro dia, é só responder. A página é esta:\n{{link}}',
    ],
    neutral: [
      'Olá, {{firstName}}. O dia combinado para pagar a {{creditor}} passou, e {{count}} pagamentos continuam em aberto. Se precisar de outro dia, responda por aqui. O Pix de cada um está nesta página:\n{{link}}',
    ],
    firm: [
      'Olá, {{firstName}}. O dia combinado para pagar a {{creditor}} passou, e o pagamento de {{count}} contas não foi identificado. Se algo mudou, responda esta mensagem. O Pix de cada uma está nesta página:\n{{link}}',
    ],
  },
  after_dispute: inOneTone(
    'Olá, {{firstName}}. A equipe da {{creditor}} conferiu o que você escreveu, e continuam em aberto {{count}} contas. Os detalhes de cada uma estão nesta página:\n{{link}}\n\nSe ainda não concorda, responda dizendo o motivo: quem lê é uma pessoa da equipe.',
  ),
  after_said_paid: inOneTone(
    'Olá, {{firstName}}. A equipe da {{creditor}} procurou o pagamento de que você falou e não o encontrou. Se ele foi feito, responda com o comprovante, ou diga o dia e como pagou: quem lê é uma pessoa da equipe. Os detalhes das {{count}} contas em aberto estão nesta página:\n{{link}}',
  ),
  last: {
    friendly: [
      'Oi, {{firstName}}. Esta é a nossa última mensagem automática sobre os {{count}} pagamentos em aberto com a {{creditor}}. Se quiser pagar, ou só ver os detalhes, a página continua aqui:\n{{link}}\n\nSe precisar de ajuda, é só responder.',
    ],
    neutral: [
      'Olá, {{firstName}}. Esta é a última mensagem automática sobre os {{count}} pagamentos em aberto com a {{creditor}}. Os detalhes e o Pix de cada um continuam nesta página:\n{{link}}\n\nSe tiver alguma dúvida, é só responder.',
    ],
    firm: [
      'Olá, {{firstName}}. Esta é a última mensagem automática sobre os {{count}} pagamentos vencidos com a {{creditor}}. O Pix para quitar cada um continua nesta página:\n{{link}}\n\nSe não concorda com alguma cobrança, responda esta mensagem.',
    ],
  },
};

/** Whoever reads a message to a company is not the company, and may not be the one who pays. */
export const forCompany = (body: string): string =>
  body
    .replace(
      /^(?:Oi|Olá), \{\{firstName\}\}(?:, tudo bem\?|[.!])/,
      'Olá! Esta mensagem é para o financeiro da {{firstName}}.',
    )
    .replace(
      'Não é {{firstName}}? Avise, e não escrevemos mais para este número.',
      'Se este número não é da empresa, por favor, avise, e não escrevemos mais para ele.',
    )
    .replace(' em seu nome', '');

/** Which of a step's wordings is used: those of earlier reminders are not repeated at once. */
const wordingOf = (wordings: Wordings, earlierReminders: number): number => earlierReminders % wordings.length;

/** Returns the body of a step for one debt, or for all of a person's, and the number of its wording. */
export function collectionBody(
  step: CollectionStep,
  tone: CollectionTone,
  { together, debtorIsCompany }: Pick<MessageFacts, 'together' | 'debtorIsCompany'>,
  earlierReminders = 0,
): { readonly body: string; readonly wording: number } {
  const wordings = (together === null ? COLLECTION_BODIES : SEVERAL_DEBTS_BODIES)[step][tone];
  const wording = wordingOf(wordings, earlierReminders);
  const body = wordings[wording] ?? wordings[0];
  return { body: debtorIsCompany ? forCompany(body) : body, wording };
}

export const OPT_OUT_LINE = 'Para não receber mais mensagens, responda PARAR.';

type Identified = { readonly creditor: Pick<MessageFacts['creditor'], 'cnpj' | 'address'> };

/** Consumer Code, art. 42-A, requires name, CNPJ and address of the creditor in every collection message. */
const signature = (facts: Identified): string =>
  [
    'Credor: {{creditor}}',
    ...(facts.creditor.cnpj === null ? [] : ['CNPJ {{cnpj}}']),
    ...(facts.creditor.address === null ? [] : ['Endereço: {{address}}']),
  ].join(' · ');

/** Adds the creditor's identity and the opt-out line by code, so that no author of a body can leave them out. */
export const withSignature = (body: string, facts: Identified): string =>
  `${body}\n\n${signature(facts)}\n${OPT_OUT_LINE}`;
