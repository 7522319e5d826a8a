import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import { type Email, htmlPage, plainText } from '../../../platform/mail/email.ts';

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
  emailOf(sender, {
    heading: `${CHANNELS[sender.channel]}: o canal recusou o acesso`,
    what: `O remetente ${oneLine(sender.shownAs)} parou de enviar mensagens, porque o canal não aceita mais as credenciais dele. Elas podem ter vencido, sido trocadas ou perdido uma permissão.`,
    remedy: CORRECT_ACCESS[sender.channel],
  });

/** The channel lets the sender send nothing for a time. */
export const senderPausedEmail = (sender: StoppedSender): Email =>
  emailOf(sender, {
    heading: `${CHANNELS[sender.channel]}: os envios estão suspensos`,
    what: `O remetente ${oneLine(sender.shownAs)} está sem poder enviar mensagens, por decisão do canal: por exemplo, por queixas de quem as recebeu, por falta de pagamento ou por uma restrição da conta. O serviço tenta de novo a cada hora.`,
    remedy: END_PAUSE[sender.channel],
  });

interface Parts {
  readonly heading: string;
  readonly what: string;
  readonly remedy: string;
}

function emailOf({ reason }: StoppedSender, { heading, what, remedy }: Parts): Email {
  const code = reason === null ? [] : [`Informação do canal, para quem for resolver: ${oneLine(reason)}.`];
  const notice = {
    heading,
    paragraphs: [what, NOTHING_LOST, remedy],
    footnotes: [
      ...code,
      'Este aviso sai no máximo uma vez por dia para cada remetente e motivo. A situação atual está em GET /api/channels.',
    ],
  };
  return { subject: `Quita: ${heading}`, text: plainText(notice), html: htmlPage(notice) };
}
