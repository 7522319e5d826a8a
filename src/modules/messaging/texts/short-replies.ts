import type { QuestionTopic } from '../../debts/rules/intents.ts';
import type { MessageFacts } from '../rules/message-facts.ts';
import { shortAgreementAnswer, shortOffersTemplates } from './offers.ts';
import { carriesOptOut, isQuiet, MAX_ANSWERS, type ReplyRequest, replyTemplate } from './replies.ts';
import { chargedIn, firstThatFits, SHORT_OPT_OUT_LINE, shortValues } from './values.ts';

/** An answer that may name longer values, and one that names none whose length is unknown. */
interface ShortAnswer {
  readonly full: string;
  readonly brief: string;
}

const same = (text: string): ShortAnswer => ({ full: text, brief: text });

/** The sum that is asked for. Its parts are on the page, because they would leave no room for anything else. */
const amountAsked = (facts: MessageFacts): string => {
  if (facts.together === null) {
    return chargedIn(facts) === null ? 'O valor é {{amount}}, sem juros nem multa.' : 'O valor é {{amountToday}}.';
  }
  const sum = chargedIn(facts) === null ? '{{total}}, sem juros nem multa' : '{{totalToday}}';
  return `São {{count}} pagamentos, total ${sum}.`;
};

/** The answers of `answerTemplate` for short texts. Like them, they use stored data only. */
const shortAnswer = (topic: QuestionTopic, facts: MessageFacts): ShortAnswer => {
  const { creditor } = facts;
  const ofAgreement = facts.agreement == null ? null : shortAgreementAnswer(topic);
  if (ofAgreement !== null) return same(ofAgreement);
  switch (topic) {
    case 'amount':
      if (facts.together !== null) return same(`${amountAsked(facts)} O valor de cada um: {{link}}`);
      return chargedIn(facts) === null
        ? same('O valor é {{amount}}: só o principal, sem juros nem multa.')
        : same(`${amountAsked(facts)} O que entra nele e por quê: {{link}}`);
    case 'origin': {
      if (facts.together !== null)
        return same('São {{count}} contas. A fatura, o valor e o vencimento de cada uma: {{link}}');
      const brief = 'A cobrança é de uma conta com vencimento em {{dueDate}}. Detalhes: {{link}}';
      if (facts.description !== null) {
        return { full: 'A cobrança é referente a: {{description}}, com vencimento em {{dueDate}}.', brief };
      }
      return facts.invoiceId === null
        ? same(brief)
        : { full: 'A cobrança é da fatura {{invoiceId}}, com vencimento em {{dueDate}}.', brief };
    }
    case 'due_date':
      return facts.together === null
        ? { full: 'O vencimento foi em {{dueDate}}. Pix: {{link}}', brief: 'O vencimento foi em {{dueDate}}.' }
        : same('O vencimento de cada um dos {{count}} pagamentos: {{link}}');
    case 'creditor': {
      const identity = [
        '{{creditor}}',
        ...(creditor.cnpj === null ? [] : ['CNPJ {{cnpj}}']),
        ...(creditor.address === null ? [] : ['{{address}}']),
      ];
      return {
        full: `Falo em nome da ${identity.join(', ')}. Sou um assistente virtual.`,
        brief: 'Sou um assistente virtual. O nome, o CNPJ e o endereço da empresa: {{link}}',
      };
    }
    case 'cnpj':
      return creditor.cnpj === null
        ? same('Não tenho o CNPJ aqui; a equipe da empresa pode informar.')
        : {
            full: 'O CNPJ da {{creditor}} é {{cnpj}}. Você pode conferir no site da Receita Federal.',
            brief: 'O CNPJ da empresa é {{cnpj}}. Você pode conferir no site da Receita Federal.',
          };
    case 'fraud': {
      const check = (name: string): string =>
        `É bom desconfiar. Procure a ${name} por um canal que você já conhece e, antes do Pix, veja no aplicativo do seu banco se quem recebe é ela. Nunca pedimos senha nem código.`;
      return { full: check('{{creditor}}'), brief: check('empresa') };
    }
    case 'receipt':
      return facts.receiptUrl === null
        ? same('Confirmado o pagamento, você recebe por aqui o termo de quitação, com protocolo.')
        : { full: 'O termo de quitação está aqui: {{receiptUrl}}', brief: 'O termo de quitação está aqui: {{link}}' };
    case 'bureau':
      return same(
        'Se houver registro em cadastro de inadimplentes por esta dívida, a empresa deve retirá-lo em até 5 dias úteis depois de confirmado o pagamento.',
      );
    case 'how_to_pay':
      return same('O pagamento é por Pix, com QR code ou copia e cola, nesta página: {{link}}');
    case 'privacy': {
      const uses =
        'A empresa tem seu contato pelo cadastro desta cobrança; a LGPD prevê esse uso para proteger o crédito.';
      if (facts.rights != null) {
        const seen = 'Veja seus dados e peça correção: {{rightsShortUrl}}';
        return { full: `${uses} ${seen}`, brief: seen };
      }
      const brief = `${uses} Acesso ou correção: peça à empresa.`;
      return creditor.email === null ? same(brief) : { full: `${uses} Acesso ou correção: {{creditorEmail}}.`, brief };
    }
    case 'unknown': {
      const brief = 'Não tenho essa informação por aqui. Para falar com uma pessoa da empresa, escreva ATENDENTE.';
      return creditor.email === null ? same(brief) : { full: `${brief} Ou por e-mail: {{creditorEmail}}.`, brief };
    }
  }
};

/** The replies of `replyMessage` for short texts. They name the creditor only where that is the answer. */
export const shortReplyMessage = (request: ReplyRequest, facts: MessageFacts): string => {
  const bodies = shortReplies(request, facts);
  const templates = carriesOptOut(request) ? bodies.map((body) => `${body} ${SHORT_OPT_OUT_LINE}`) : bodies;
  return firstThatFits(templates, shortValues(facts, request.date));
};

/** The most telling template first; the last one names no value whose length is unknown. */
const shortReplies = (request: ReplyRequest, facts: MessageFacts): readonly string[] => {
  // These texts are short, and name neither the debt nor its creditor nor its debtor.
  if (request.intent === 'wrong_person' || request.situation === 'wrong_person') return [replyTemplate(request, facts)];
  if (request.intent === 'opt_out') {
    const done = 'Pronto, {{firstName}}: seu pedido foi registrado. Você não receberá mais mensagens de cobrança';
    return [`${done} da {{creditor}} por aqui.`, `${done} por aqui.`];
  }
  if (request.situation === 'paid') return paidReplies(facts);
  if (request.situation === 'closed') {
    return ['{{firstName}}, a empresa encerrou esta conversa e não há cobrança ativa por aqui.'];
  }
  return withAnswers(request, facts);
};

/** What the debtor asks for comes before what the debtor wants to know, when not all of it fits. */
const withAnswers = (request: ReplyRequest, facts: MessageFacts): readonly string[] => {
  const topics = request.topics.filter((topic) => topic !== 'unknown').slice(0, MAX_ANSWERS);
  const open = openReplies(request, facts);
  if (topics.length === 0) return open;
  const isQuestion = request.intent === 'question';
  const end = isQuestion ? [] : open.slice(-1);
  const answered = topics.flatMap((_, index) => {
    const some = topics.slice(0, topics.length - index).map((topic: QuestionTopic) => shortAnswer(topic, facts));
    return [some.map(({ full }) => full), some.map(({ brief }) => brief)].map((answers) =>
      [...answers, ...end].join(' '),
    );
  });
  return [...answered, ...end];
};

const openReplies = (request: ReplyRequest, facts: MessageFacts): readonly string[] => {
  if (facts.offered != null) return shortOffersTemplates(facts.offered);
  const isOfAgreement = facts.agreement != null && facts.claimPassedOn !== true;
  const ofAgreement = isOfAgreement ? shortAgreementAnswer(request.intent) : null;
  if (ofAgreement !== null) return [ofAgreement];
  switch (request.intent) {
    case 'wants_to_pay':
      return facts.together === null
        ? [
            `Que bom, {{firstName}}! ${amountAsked(facts)} Pague por Pix: {{link}} Confirmado o pagamento, você recebe o termo de quitação.`,
            `Que bom, {{firstName}}! ${amountAsked(facts)} Pague por Pix: {{link}}`,
          ]
        : [`Que bom, {{firstName}}! ${amountAsked(facts)} O Pix de cada um: {{link}}`];
    case 'promise':
      if (isQuiet(request)) {
        return [
          'Obrigado por avisar, {{firstName}}. Não há mais mensagens de cobrança programadas. Quando for pagar, o Pix está aqui: {{link}}',
        ];
      }
      return request.date === null
        ? ['Tudo bem, {{firstName}}. Em que dia fica bom para você? Responda só com a data. Pix: {{link}}']
        : ['Combinado, {{firstName}}: anotei {{promisedDate}}. Até lá não envio cobranças. Pix: {{link}}'];
    case 'already_paid':
      return facts.claimPassedOn === true
        ? [
            'Obrigado por avisar, {{firstName}}. Passei para a equipe da empresa conferir e parei as cobranças até a resposta dela. Se puder, diga o dia e como pagou.',
          ]
        : [
            'Obrigado por avisar, {{firstName}}. Parei as cobranças por dois dias úteis. Se o Pix não aparecer até lá, a equipe da empresa confere antes de qualquer mensagem.',
          ];
    case 'dispute': {
      const stopped = 'e parei as mensagens sobre essa cobrança até que a equipe da empresa analise o caso.';
      if (facts.disputed === null) {
        return [
          'Entendi, {{firstName}}. Registrei que você não concorda com a cobrança e parei as mensagens até que a equipe da empresa analise o caso.',
        ];
      }
      return [
        `Entendi, {{firstName}}. Registrei que você não concorda com {{disputed}} ${stopped}`,
        `Entendi, {{firstName}}. Registrei a sua discordância ${stopped}`,
      ];
    }
    case 'propose':
      return [
        'Obrigado por dizer quanto cabe no seu mês, {{firstName}}. Passei isso à equipe da empresa, e uma pessoa vai olhar. Enquanto isso, não envio cobranças.',
      ];
    case 'negotiate':
    case 'accept_offer':
      return [
        'Entendo, {{firstName}}. Por aqui não consigo mudar o valor nem as condições, mas passei o seu pedido à equipe da empresa. Enquanto ela analisa, não envio cobranças.',
      ];
    case 'hardship':
      return [
        'Sinto muito que esteja passando por isso, {{firstName}}. Parei as cobranças e avisei a equipe da empresa, para que uma pessoa veja o seu caso com calma.',
      ];
    case 'human':
      return [
        'Claro, {{firstName}}. Sou um assistente virtual e já avisei a equipe da empresa que você quer falar com uma pessoa. Até lá, parei as mensagens automáticas.',
      ];
    case 'question': {
      const { full, brief } = shortAnswer('unknown', facts);
      return [full, brief];
    }
    default:
      if (request.situation === 'opted_out') {
        return [
          'Certo, {{firstName}}. Seu pedido de não receber cobranças continua valendo. Se quiser tirar alguma dúvida, é só escrever.',
        ];
      }
      return request.situation === 'exhausted'
        ? ['Estou à disposição, {{firstName}}, para tirar dúvidas ou chamar uma pessoa. Detalhes e Pix: {{link}}']
        : [
            'Estou à disposição, {{firstName}}, para tirar dúvidas, anotar o dia em que você consegue pagar ou chamar uma pessoa. Detalhes e Pix: {{link}}',
          ];
  }
};

/** A person who has paid one debt may have others that are open. */
const paidReplies = (facts: MessageFacts): readonly string[] => {
  const confirmed =
    facts.together === null
      ? 'Tudo certo, {{firstName}}: o pagamento está confirmado e não há nada a pagar.'
      : 'Tudo certo, {{firstName}}: este pagamento está confirmado.';
  const others = facts.together === null ? '' : ' O que ainda está em aberto: {{link}}';
  const prepared = `${confirmed} O termo de quitação está sendo preparado.${others}`;
  if (facts.receiptUrl === null) return [prepared];
  const receipt = `${confirmed} O termo de quitação: {{receiptUrl}}`;
  return [`${receipt}${others}`, receipt, `${confirmed} O termo de quitação: {{link}}`];
};
