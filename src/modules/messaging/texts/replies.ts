import { formatReais } from '../../../kernel/money.ts';
import { formatCalendarDate } from '../../../kernel/texts/format.ts';
import type { Intent, QuestionTopic } from '../../debts/rules/intents.ts';
import { partsInWords } from '../../terms/texts/components.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { OPT_OUT_LINE } from './collection-bodies.ts';
import { agreementAnswer, offersTemplate } from './offers.ts';
import { chargedIn, fillTemplate, firstThatFits, messageValues, SHORT_OPT_OUT_LINE, shortValues } from './values.ts';

/** The amount of the day with its parts; null where nothing is ever added to the principal. */
const chargedAmount = (facts: MessageFacts): string | null => {
  const charged = chargedIn(facts);
  if (charged === null) return null;
  const amount =
    facts.together === null
      ? 'O valor é {{amountToday}}'
      : 'São {{count}} pagamentos em aberto, que somam {{totalToday}}';
  return partsInWords(charged) === null ? `${amount}.` : `${amount}: {{parts}}.`;
};

/** Why the amount is what it is. The contract's clause is on the page, because it may be long. */
const whyCharged = (facts: MessageFacts): string => {
  const perDay = (chargedIn(facts)?.interest ?? 0) > 0 ? ' Os juros são contados por dia de atraso.' : '';
  return `${perDay} A explicação, com o que diz o contrato, está nesta página:\n{{link}}`;
};

const yourRights = ({ creditor, rights }: MessageFacts): string => {
  if (rights == null) {
    return `Você pode pedir acesso aos seus dados ou correção${creditor.email === null ? ' à {{creditor}}' : ' em {{creditorEmail}}'}.`;
  }
  const orWrite = creditor.email === null ? '' : ' Se preferir, escreva para a {{creditor}} em {{creditorEmail}}.';
  return `Veja os seus dados, peça correção ou uma cópia deles na página abaixo.${orWrite}\n{{rightsUrl}}`;
};

/** Returns the answer for a topic. It uses stored data only, and says so when the data is not known. */
const answerTemplate = (topic: QuestionTopic, facts: MessageFacts): string => {
  const { creditor } = facts;
  const ofAgreement = facts.agreement == null ? null : agreementAnswer(topic, facts.brCode !== null);
  if (ofAgreement !== null) return ofAgreement;
  switch (topic) {
    case 'amount': {
      const charged = chargedAmount(facts);
      if (charged !== null) return `${charged}${whyCharged(facts)}`;
      if (facts.together !== null) {
        return 'São {{count}} pagamentos em aberto, que somam {{total}}. Não há acréscimos: é só o principal; juros, multa e encargos: R$ 0,00. O valor de cada um está nesta página:\n{{link}}';
      }
      return 'O valor é {{amount}}. Não há acréscimos: é só o principal; juros, multa e encargos: R$ 0,00.';
    }
    case 'origin':
      if (facts.together !== null) {
        return 'São {{count}} contas da {{creditor}}. A fatura, o valor e o vencimento de cada uma estão nesta página:\n{{link}}';
      }
      if (facts.description !== null) {
        const invoice = facts.invoiceId === null ? '' : ' (fatura {{invoiceId}})';
        return `A cobrança é referente a: {{description}}${invoice}. Quem cobra é a {{creditor}}, e o vencimento foi em {{dueDate}}.`;
      }
      return facts.invoiceId === null
        ? 'A cobrança é de uma conta da {{creditor}}, com vencimento em {{dueDate}}. Não tenho aqui o número da fatura; a equipe da {{creditor}} pode informar.'
        : 'A cobrança é da fatura {{invoiceId}} da {{creditor}}, com vencimento em {{dueDate}}.';
    case 'due_date':
      if (facts.together !== null)
        return 'O vencimento de cada um dos {{count}} pagamentos está nesta página:\n{{link}}';
      return 'O vencimento foi em {{dueDate}}. O Pix continua disponível na página:\n{{link}}';
    case 'creditor':
      return `Falo em nome da {{creditor}}, empresa credora${creditor.cnpj === null ? '' : ', CNPJ {{cnpj}}'}${creditor.address === null ? '' : ', {{address}}'}. Sou um assistente virtual.`;
    case 'cnpj':
      return creditor.cnpj === null
        ? 'Não tenho o CNPJ da {{creditor}} aqui; a equipe da empresa pode informar.'
        : 'O CNPJ da {{creditor}} é {{cnpj}}. Você pode conferir no site da Receita Federal.';
    case 'fraud':
      return `É bom desconfiar. Para conferir: procure a {{creditor}} por um canal que você já conhece e pergunte por esta cobrança${creditor.cnpj === null ? '' : '; confira o CNPJ {{cnpj}} no site da Receita Federal'}; e, antes de confirmar o Pix, veja no aplicativo do seu banco se quem recebe é a {{creditor}}. Nunca pedimos senha nem código.`;
    case 'receipt':
      return facts.receiptUrl === null
        ? 'Assim que o pagamento é confirmado, você recebe por aqui o termo de quitação, com um protocolo que pode ser conferido.'
        : 'O termo de quitação está aqui:\n{{receiptUrl}}';
    case 'bureau':
      return 'Se houver registro em cadastro de inadimplentes por esta dívida, a {{creditor}} deve retirá-lo em até 5 dias úteis depois de confirmado o pagamento.';
    case 'how_to_pay':
      return facts.brCode === null
        ? 'O pagamento é por Pix, com QR code ou copia e cola, nesta página:\n{{link}}'
        : 'O pagamento é por Pix. A página com o QR code é esta:\n{{link}}\n\nPix copia e cola:\n{{brCode}}';
    case 'privacy':
      return `A {{creditor}} tem o seu contato pelo cadastro que originou esta cobrança, e o uso para proteção do crédito é previsto na LGPD (art. 7º, X). ${yourRights(facts)}`;
    case 'unknown':
      return `Não tenho essa informação por aqui. Se quiser que uma pessoa da {{creditor}} responda, escreva ATENDENTE${creditor.email === null ? '' : ' ou mande um e-mail para {{creditorEmail}}'}.`;
  }
};

export interface ReplyRequest {
  readonly intent: Intent;
  readonly date: string | null;
  readonly topics: readonly QuestionTopic[];
  readonly mentionsDeath: boolean;
  readonly situation: 'open' | 'exhausted' | 'opted_out' | 'wrong_person' | 'paid' | 'closed';
  /** A message of the same day has said how to stop the messages. */
  readonly optOutSaid?: boolean;
}

export const MAX_ANSWERS = 3;

const byMail = (facts: MessageFacts): string =>
  facts.creditor.email === null ? '' : ' Se preferir, escreva para {{creditorEmail}}.';

const pixCode = (facts: MessageFacts): string => (facts.brCode === null ? '' : '\nPix copia e cola:\n{{brCode}}\n');

/** No further contact is planned in these situations, so a reply must not offer to postpone contacts. */
export const isQuiet = ({ situation }: Pick<ReplyRequest, 'situation'>): boolean =>
  situation === 'exhausted' || situation === 'opted_out';

/** Where a reply says that a request was passed on, the request stands in the client's inbox before the reply is made. */
const openTemplate = (request: ReplyRequest, facts: MessageFacts): string => {
  if (facts.offered != null) return offersTemplate(facts.offered);
  const isOfAgreement = facts.agreement != null && facts.claimPassedOn !== true;
  const ofAgreement = isOfAgreement ? agreementAnswer(request.intent, facts.brCode !== null) : null;
  if (ofAgreement !== null) return ofAgreement;
  switch (request.intent) {
    case 'wants_to_pay':
      if (facts.together !== null) {
        const sum = chargedAmount(facts) ?? 'São {{count}} pagamentos, que somam {{total}}, sem juros nem multa.';
        return `Que bom, {{firstName}}! ${sum} O Pix de cada um está nesta página:\n{{link}}\n\nAssim que o pagamento for confirmado, você recebe o termo de quitação por aqui.`;
      }
      return `Que bom, {{firstName}}! ${chargedAmount(facts) ?? 'O valor é {{amount}}, sem juros nem multa.'} Para pagar por Pix, abra esta página:\n{{link}}\n${pixCode(facts)}\nAssim que o pagamento for confirmado, você recebe o termo de quitação por aqui.`;
    case 'promise':
      if (isQuiet(request)) {
        return 'Obrigado por avisar, {{firstName}}. Não há mais mensagens de cobrança programadas para você por aqui. Quando for pagar, o Pix está nesta página:\n{{link}}';
      }
      return request.date === null
        ? 'Tudo bem, {{firstName}}. Em que dia fica bom para você? Pode responder só com a data. Se quiser adiantar, o Pix está aqui:\n{{link}}'
        : 'Combinado, {{firstName}}: anotei {{promisedDate}}. Até lá não envio cobranças. Quando quiser pagar, o Pix está aqui:\n{{link}}';
    case 'already_paid':
      return facts.claimPassedOn === true
        ? `Obrigado por avisar, {{firstName}}. Passei para a equipe da {{creditor}} conferir e parei as cobranças até a resposta dela. Se puder, mande a foto do comprovante ou diga o dia e como pagou (Pix, cartão, dinheiro): assim a baixa sai mais rápido.${byMail(facts)}`
        : `Obrigado por avisar, {{firstName}}. Parei as cobranças por dois dias úteis, enquanto o seu Pix é confirmado. Se ele não aparecer até lá, a equipe da {{creditor}} confere, e nada é enviado antes da resposta dela. Se pagou de outro jeito, conte como e em que dia: a equipe confere logo.${byMail(facts)}`;
    case 'dispute':
      if (facts.disputed !== null) {
        return `Entendi, {{firstName}}. Registrei que você não concorda com {{disputed}} e parei as mensagens sobre essa cobrança até que a equipe da {{creditor}} analise o caso.${byMail(facts)}`;
      }
      return `Entendi, {{firstName}}. Registrei que você não concorda com a cobrança e parei as mensagens até que a equipe da {{creditor}} analise o caso.${byMail(facts)}`;
    case 'propose':
      return 'Obrigado por dizer quanto cabe no seu mês, {{firstName}}. Passei isso à equipe da {{creditor}}, e uma pessoa vai olhar com calma. Enquanto isso, não envio cobranças.';
    case 'negotiate':
    case 'accept_offer':
      return 'Entendo, {{firstName}}. Por aqui não consigo mudar o valor nem as condições, mas já passei o seu pedido à equipe da {{creditor}}. Enquanto ela analisa, não envio cobranças.';
    case 'hardship':
      return 'Sinto muito que esteja passando por isso, {{firstName}}. Parei as cobranças e passei o seu caso à equipe da {{creditor}}, para que uma pessoa o veja com calma. Você não precisa fazer nada agora.';
    case 'human':
      return `Claro, {{firstName}}. Eu sou um assistente virtual e já passei à equipe da {{creditor}} o seu pedido de falar com uma pessoa. Até lá, parei as mensagens automáticas.${byMail(facts)}`;
    case 'question':
      return answerTemplate('unknown', facts);
    default:
      if (request.situation === 'opted_out') {
        return 'Certo, {{firstName}}. Seu pedido de não receber cobranças continua valendo. Se quiser tirar alguma dúvida, é só escrever.';
      }
      if (request.situation === 'exhausted') {
        return 'Estou à disposição, {{firstName}}. Posso tirar dúvidas sobre esta cobrança da {{creditor}} ou chamar uma pessoa da equipe. Os detalhes e o Pix estão aqui:\n{{link}}';
      }
      return 'Estou à disposição, {{firstName}}. Posso tirar dúvidas sobre esta cobrança da {{creditor}}, anotar o dia em que você consegue pagar ou chamar uma pessoa da equipe. Os detalhes e o Pix estão aqui:\n{{link}}';
  }
};

const withAnswers = (request: ReplyRequest, facts: MessageFacts): string => {
  const topics = request.topics.filter((topic) => topic !== 'unknown').slice(0, MAX_ANSWERS);
  if (topics.length === 0) return openTemplate(request, facts);
  const answers = topics.map((topic) => answerTemplate(topic, facts));
  return (request.intent === 'question' ? answers : [...answers, openTemplate(request, facts)]).join('\n\n');
};

const OTHER_DEBTS_OPEN = '\n\nO que ainda está em aberto com a {{creditor}} está nesta página:\n{{link}}';

/** A person who has paid one debt may have others that are open. */
const paidTemplate = (facts: MessageFacts): string => {
  if (facts.together === null) return allPaidTemplate(facts);
  const receipt =
    facts.receiptUrl === null
      ? 'O termo de quitação está sendo preparado.'
      : 'O termo de quitação está aqui:\n{{receiptUrl}}';
  return `Está tudo certo, {{firstName}}: este pagamento com a {{creditor}} está confirmado. ${receipt}${OTHER_DEBTS_OPEN}`;
};

const allPaidTemplate = (facts: MessageFacts): string =>
  facts.receiptUrl === null
    ? 'Está tudo certo, {{firstName}}: o pagamento com a {{creditor}} está confirmado e não há nada a pagar. O termo de quitação está sendo preparado.'
    : 'Está tudo certo, {{firstName}}: o pagamento com a {{creditor}} está confirmado e não há nada a pagar. O termo de quitação está aqui:\n{{receiptUrl}}';

/** Names neither the debt nor its creditor nor its debtor, because the reader may be another person. */
const wrongPersonText = (mentionsDeath: boolean): string =>
  mentionsDeath
    ? 'Sinto muito pela sua perda, e desculpe o incômodo. Este número não será mais usado para este assunto.'
    : 'Obrigado por avisar, e desculpe o incômodo. Este número não será mais usado para este assunto.';

/** Returns the reply with unfilled placeholders, so that a language model may reword it without seeing a value. */
export const replyTemplate = (request: ReplyRequest, facts: MessageFacts): string => {
  if (request.intent === 'wrong_person') return wrongPersonText(request.mentionsDeath);
  if (request.situation === 'wrong_person') {
    return request.intent === 'opt_out'
      ? 'Seu pedido foi registrado: você não receberá mais mensagens por aqui.'
      : 'Obrigado pela mensagem. Este número não é mais usado para este assunto.';
  }
  if (request.intent === 'opt_out') {
    return 'Pronto, {{firstName}}: seu pedido foi registrado. Você não receberá mais mensagens de cobrança da {{creditor}} por aqui.';
  }
  if (request.situation === 'paid') return paidTemplate(facts);
  if (request.situation === 'closed') {
    return `{{firstName}}, a {{creditor}} encerrou esta conversa e não há cobrança ativa por aqui.${byMail(facts)}`;
  }
  return withAnswers(request, facts);
};

/** The first reply of a day to a debtor who may receive further messages says how to stop them. */
export const carriesOptOut = (request: Pick<ReplyRequest, 'intent' | 'situation' | 'optOutSaid'>): boolean =>
  request.optOutSaid !== true &&
  (request.situation === 'open' || isQuiet(request)) &&
  request.intent !== 'opt_out' &&
  request.intent !== 'wrong_person';

export const withOptOutLine = (body: string): string => `${body}\n\n${OPT_OUT_LINE}`;

export const replyMessage = (request: ReplyRequest, facts: MessageFacts): string => {
  const template = replyTemplate(request, facts);
  return fillTemplate(carriesOptOut(request) ? withOptOutLine(template) : template, messageValues(facts, request.date));
};

interface NamedDebt {
  readonly invoiceId: string | null;
  readonly amountCentavos: number;
  readonly dueDate: string;
}

/** Names debts within a sentence: `a fatura 12 e a cobrança de R$ 150,00 com vencimento em 05/10/2026`. */
export const debtsInWords = (debts: readonly NamedDebt[]): string =>
  debts
    .map(({ invoiceId, amountCentavos, dueDate }) =>
      invoiceId === null
        ? `a cobrança de ${formatReais(amountCentavos)} com vencimento em ${formatCalendarDate(dueDate)}`
        : `a fatura ${invoiceId}`,
    )
    .join(' e ');

/** Answers a file without words. The file stands in the client's inbox before this is said. */
export const attachmentReply = (facts: MessageFacts): { readonly text: string; readonly short: string } => {
  const told = 'Recebi o arquivo, {{firstName}}. Uma pessoa da {{creditor}} vai ver.';
  const briefly = 'Recebi o arquivo, {{firstName}}. Uma pessoa da empresa vai ver.';
  return {
    text: fillTemplate(withOptOutLine(told), messageValues(facts)),
    short: firstThatFits(
      [told, briefly].map((body) => `${body} ${SHORT_OPT_OUT_LINE}`),
      shortValues(facts),
    ),
  };
};
