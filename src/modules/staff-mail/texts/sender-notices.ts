import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';
import { isPaymentMissing } from '../../messaging/rules/watched-number.ts';

export interface StoppedSender {
  readonly channel: RealChannel;
  /** The number, word or address that debtors see. */
  readonly shownAs: string;
  /** What the channel said, in short. */
  readonly reason: string | null;
}

const CHANNELS: Readonly<Record<RealChannel, string>> = {
  whatsapp: 'WhatsApp',
  twilio: 'SMS pela Twilio',
  zenvia: 'SMS pela Zenvia',
  email: 'E-mail',
};

const AGAIN = 'Depois, peça a quem opera o serviço que conecte este remetente de novo.';

const CORRECT_ACCESS: Readonly<Record<RealChannel, string>> = {
  whatsapp: `O que fazer: no Gerenciador de Negócios da Meta, gere um novo token do usuário do sistema, com as permissões whatsapp_business_messaging e whatsapp_business_management, e confira se o número continua na conta. ${AGAIN}`,
  twilio: `O que fazer: no console da Twilio, confira se a conta está ativa, se o número ainda é seu e qual é o token de autenticação atual. ${AGAIN}`,
  zenvia: `O que fazer: no painel da Zenvia, confira se o token e o remetente continuam ativos. ${AGAIN}`,
  email: 'O que fazer: avise quem opera o serviço, porque é o acesso dele ao servidor de e-mail que foi recusado.',
};

const END_PAUSE: Readonly<Record<RealChannel, string>> = {
  whatsapp:
    'O que fazer: no Gerenciador do WhatsApp, veja a qualidade do número, os avisos da conta e a forma de pagamento. Se houver queixas, escreva a menos pessoas e somente a quem conhece a sua empresa.',
  twilio: 'O que fazer: no console da Twilio, veja o saldo e os avisos da conta.',
  zenvia: 'O que fazer: no painel da Zenvia, veja o saldo e os avisos da conta.',
  email:
    'O que fazer: avise quem opera o serviço, que pode ver no servidor de e-mail por que os envios foram suspensos.',
};

const NOTHING_LOST =
  'Nenhuma cobrança se perde: as mensagens esperam, ou seguem por outro canal que a sua empresa tenha conectado.';

/** The channel refuses the sender's credentials. */
export const senderFailingEmail = (sender: StoppedSender): Email =>
  stoppedEmail(sender, {
    heading: `${CHANNELS[sender.channel]}: o canal recusou o acesso`,
    what: `O remetente ${oneLine(sender.shownAs)} parou de enviar mensagens, porque o canal não aceita mais as credenciais dele. Elas podem ter vencido, sido trocadas ou perdido uma permissão.`,
    remedy: CORRECT_ACCESS[sender.channel],
  });

/** The channel lets the sender send nothing for a time. */
export const senderPausedEmail = (sender: StoppedSender): Email => {
  if (isPaymentMissing(sender.reason)) return paymentMissingEmail(sender);
  return stoppedEmail(sender, {
    heading: `${CHANNELS[sender.channel]}: os envios estão suspensos`,
    what: `O remetente ${oneLine(sender.shownAs)} está sem poder enviar mensagens, por decisão do canal: por exemplo, por queixas de quem as recebeu, por falta de pagamento ou por uma restrição da conta. O serviço tenta de novo a cada hora.`,
    remedy: END_PAUSE[sender.channel],
  });
};

const PAY_META =
  'O que fazer: no Gerenciador de Negócios da Meta, em Cobrança e pagamentos, confira se a conta do WhatsApp Business tem uma forma de pagamento válida e nenhuma fatura em aberto. Depois disso, as próximas mensagens chegam sem que seja preciso mexer em nada aqui.';

/** WhatsApp has refused messages, because the account has no payment method. */
const paymentMissingEmail = (sender: StoppedSender): Email =>
  stoppedEmail(sender, {
    heading: 'WhatsApp: falta a forma de pagamento da conta',
    what: `O número ${oneLine(sender.shownAs)} está sem poder enviar mensagens, porque a Meta não conseguiu cobrar a conta do WhatsApp Business da sua empresa. O serviço tenta de novo a cada hora.`,
    remedy: PAY_META,
  });

/** Nothing is heard of messages that cost, although WhatsApp has accepted them. */
export const paymentSuspectedEmail = (sender: Pick<StoppedSender, 'shownAs'>): Email => {
  const heading = 'WhatsApp: as respostas podem não estar chegando';
  const notice = {
    heading,
    paragraphs: [
      `O número ${oneLine(sender.shownAs)} já usou as mensagens gratuitas deste mês, e das últimas respostas que enviamos por ele o WhatsApp não deu notícia nenhuma: nem que saíram, nem que falharam. Isso costuma acontecer quando a conta na Meta não tem uma forma de pagamento: o WhatsApp aceita a mensagem e não a entrega.`,
      'Entre essas mensagens podem estar códigos de pagamento, comprovantes e confirmações de quem pediu para não receber mais mensagens. Por isso, vale olhar ainda hoje.',
      PAY_META,
      'Se o pagamento estiver em ordem, peça a quem opera o serviço que confira se o webhook do WhatsApp continua recebendo o campo messages.',
    ],
    footnotes: ['O envio não foi interrompido. A situação atual está em Conta, Canais e pagamento.'],
  };
  return emailOf(`Quita: ${heading}`, notice);
};

/** Most of the free messages of the month are used. */
export const freeMessagesEndingEmail = (sender: Pick<StoppedSender, 'shownAs'>): Email => {
  const heading = 'WhatsApp: as mensagens gratuitas do mês estão acabando';
  const notice = {
    heading,
    paragraphs: [
      `O número ${oneLine(sender.shownAs)} já usou pelo menos 80% das respostas gratuitas que o WhatsApp dá a cada número por mês. Depois delas, cada resposta entregue custa o mesmo que um modelo de utilidade.`,
      'O que fazer: confira se a conta do WhatsApp Business tem uma forma de pagamento válida, no Gerenciador de Negócios da Meta, em Cobrança e pagamentos. Sem ela, o WhatsApp aceita as mensagens seguintes e não as entrega.',
      'Nada muda nas cobranças: as mensagens continuam saindo normalmente.',
    ],
    footnotes: [
      'Este aviso sai uma vez por mês para cada número. O uso do mês está em Conta, Canais e pagamento, e em GET /api/channels.',
    ],
  };
  return emailOf(`Quita: ${heading}`, notice);
};

interface Parts {
  readonly heading: string;
  readonly what: string;
  readonly remedy: string;
}

function stoppedEmail({ reason }: StoppedSender, { heading, what, remedy }: Parts): Email {
  const code = reason === null ? [] : [`Informação do canal, para quem for resolver: ${oneLine(reason)}.`];
  const notice = {
    heading,
    paragraphs: [what, NOTHING_LOST, remedy],
    footnotes: [
      ...code,
      'Este aviso sai no máximo uma vez por dia para cada remetente e motivo. A situação atual está em Conta, Canais e pagamento, e em GET /api/channels.',
    ],
  };
  return emailOf(`Quita: ${heading}`, notice);
}
