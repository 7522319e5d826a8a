import type { MessageFacts } from './values.ts';

/** A changed wording is a new version, because a channel has approved the old one under its own name. */
export const COLLECTION_VERSION = 2;

export type CollectionStep = 'first' | 'reminder' | 'after_promise' | 'last';
export type CollectionTone = 'friendly' | 'neutral' | 'firm';

/**
 * The texts name neither amount nor due date, because another person may hold the phone; the page shows both. They are
 * templates at WhatsApp too, which refuses a text that begins or ends with a value, and values without words between.
 */
export const COLLECTION_BODIES: Readonly<Record<CollectionStep, Readonly<Record<CollectionTone, string>>>> = {
  first: {
    friendly:
      'Olá, {{firstName}}! Sou o assistente virtual da {{creditor}}. Há um pagamento em aberto em seu nome, e dá para resolver por aqui, sem ligação. Os detalhes e o Pix estão nesta página: {{link}}\n\nSe você não é {{firstName}}, é só avisar.',
    neutral:
      'Olá, {{firstName}}. Sou o assistente virtual da {{creditor}}. Consta um pagamento em aberto em seu nome. Veja os detalhes e pague por Pix nesta página: {{link}}\n\nSe você não é {{firstName}}, por favor, avise.',
    firm: 'Olá, {{firstName}}. Sou o assistente virtual da {{creditor}}. Consta um pagamento vencido em seu nome. Os detalhes e o Pix para quitar estão nesta página: {{link}}\n\nSe você não é {{firstName}}, por favor, avise.',
  },
  reminder: {
    friendly:
      'Oi, {{firstName}}, tudo bem? Passando para lembrar do pagamento em aberto com a {{creditor}}. Se for mais fácil, diga em que dia você consegue pagar. O Pix está aqui: {{link}}',
    neutral:
      'Olá, {{firstName}}. O pagamento com a {{creditor}} continua em aberto. Você pode pagar por Pix em {{link}} ou responder com o dia em que consegue pagar.',
    firm: 'Olá, {{firstName}}. Ainda não identificamos o pagamento em aberto com a {{creditor}}. Para quitar por Pix: {{link}}. Se você não concorda com a cobrança ou precisa de ajuda, responda esta mensagem.',
  },
  after_promise: {
    friendly:
      'Oi, {{firstName}}! O dia que você indicou para o pagamento com a {{creditor}} já passou, e ainda não vimos o Pix. Se precisar de outro dia, é só responder. A página é esta: {{link}}',
    neutral:
      'Olá, {{firstName}}. O dia combinado para o pagamento com a {{creditor}} passou e ele continua em aberto. Pague por Pix em {{link}} ou responda com outro dia.',
    firm: 'Olá, {{firstName}}. O dia combinado para o pagamento com a {{creditor}} passou e ele não foi identificado. O Pix está em {{link}}. Se algo mudou, responda esta mensagem.',
  },
  last: {
    friendly:
      'Oi, {{firstName}}. Esta é a nossa última mensagem automática sobre o pagamento em aberto com a {{creditor}}. A página continua disponível se quiser pagar: {{link}}. Se precisar de ajuda, é só responder.',
    neutral:
      'Olá, {{firstName}}. Esta é a última mensagem automática sobre o pagamento em aberto com a {{creditor}}. Você pode pagar por Pix em {{link}} ou responder se tiver alguma dúvida.',
    firm: 'Olá, {{firstName}}. Esta é a última mensagem automática sobre o pagamento vencido com a {{creditor}}. Para quitar por Pix: {{link}}. Se não concorda com a cobrança, responda esta mensagem.',
  },
};

/** The same steps for a person with several open debts: one message speaks of all of them. */
export const SEVERAL_DEBTS_BODIES: typeof COLLECTION_BODIES = {
  first: {
    friendly:
      'Olá, {{firstName}}! Sou o assistente virtual da {{creditor}}. Há {{count}} pagamentos em aberto em seu nome, e dá para resolver por aqui, sem ligação. Os detalhes e o Pix de cada um estão nesta página: {{link}}\n\nSe você não é {{firstName}}, é só avisar.',
    neutral:
      'Olá, {{firstName}}. Sou o assistente virtual da {{creditor}}. Constam {{count}} pagamentos em aberto em seu nome. Veja os detalhes e pague cada um por Pix nesta página: {{link}}\n\nSe você não é {{firstName}}, por favor, avise.',
    firm: 'Olá, {{firstName}}. Sou o assistente virtual da {{creditor}}. Constam {{count}} pagamentos vencidos em seu nome. Os detalhes e o Pix para quitar cada um estão nesta página: {{link}}\n\nSe você não é {{firstName}}, por favor, avise.',
  },
  reminder: {
    friendly:
      'Oi, {{firstName}}, tudo bem? Passando para lembrar dos {{count}} pagamentos em aberto com a {{creditor}}. Se for mais fácil, diga em que dia você consegue pagar. O Pix de cada um está aqui: {{link}}',
    neutral:
      'Olá, {{firstName}}. Continuam em aberto {{count}} pagamentos com a {{creditor}}. Você pode pagar por Pix em {{link}} ou responder com o dia em que consegue pagar.',
    firm: 'Olá, {{firstName}}. Ainda não identificamos {{count}} pagamentos em aberto com a {{creditor}}. Para quitar por Pix: {{link}}. Se você não concorda com alguma cobrança ou precisa de ajuda, responda esta mensagem.',
  },
  after_promise: {
    friendly:
      'Oi, {{firstName}}! O dia que você indicou para pagar a {{creditor}} já passou, e {{count}} pagamentos continuam em aberto. Se precisar de outro dia, é só responder. A página é esta: {{link}}',
    neutral:
      'Olá, {{firstName}}. O dia combinado para pagar a {{creditor}} passou e {{count}} pagamentos continuam em aberto. Pague por Pix em {{link}} ou responda com outro dia.',
    firm: 'Olá, {{firstName}}. O dia combinado para pagar a {{creditor}} passou e {{count}} pagamentos não foram identificados. O Pix de cada um está em {{link}}. Se algo mudou, responda esta mensagem.',
  },
  last: {
    friendly:
      'Oi, {{firstName}}. Esta é a nossa última mensagem automática sobre os {{count}} pagamentos em aberto com a {{creditor}}. A página continua disponível se quiser pagar: {{link}}. Se precisar de ajuda, é só responder.',
    neutral:
      'Olá, {{firstName}}. Esta é a última mensagem automática sobre os {{count}} pagamentos em aberto com a {{creditor}}. Você pode pagar por Pix em {{link}} ou responder se tiver alguma dúvida.',
    firm: 'Olá, {{firstName}}. Esta é a última mensagem automática sobre os {{count}} pagamentos vencidos com a {{creditor}}. Para quitar por Pix: {{link}}. Se não concorda com alguma cobrança, responda esta mensagem.',
  },
};

/** Whoever reads a message to a company is not the company. */
const forCompany = (body: string): string =>
  body.replace('Se você não é {{firstName}}', 'Se este número não é de {{firstName}}');

/** Returns the body of a step for one debt, or for all of a person's. */
export const collectionBody = (
  step: CollectionStep,
  tone: CollectionTone,
  { together, debtorIsCompany }: Pick<MessageFacts, 'together' | 'debtorIsCompany'>,
): string => {
  const body = (together === null ? COLLECTION_BODIES : SEVERAL_DEBTS_BODIES)[step][tone];
  return debtorIsCompany ? forCompany(body) : body;
};

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
