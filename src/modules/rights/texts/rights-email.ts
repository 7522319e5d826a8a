import { genuineLine } from '../../../kernel/texts/genuine.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import { TEST_MARK } from '../../../kernel/texts/sandbox-mark.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface RightsEmailInput {
  readonly kind: 'received' | 'answered';
  readonly creditorName: string;
  readonly protocol: string;
  readonly dueAt: Date | null;
  readonly url: string;
  readonly publicUrl: string;
  readonly sandbox: boolean;
}

const DAY = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' });

/** Tells a person of their request. It names no debt and nothing that was asked, because another person may read it. */
export function rightsEmail(input: RightsEmailInput): Email {
  const { kind, creditorName, protocol, dueAt, url, publicUrl, sandbox } = input;
  const creditor = oneLine(creditorName);
  const isAnswered = kind === 'answered';
  const until = dueAt === null ? '' : ` A resposta vem até ${DAY.format(dueAt)}.`;
  const content = {
    heading: isAnswered ? 'O seu pedido tem resposta' : 'Recebemos o seu pedido',
    notice: sandbox ? TEST_MARK : undefined,
    paragraphs: isAnswered
      ? [`${creditor} respondeu ao seu pedido.`, 'Abra a página dos seus direitos para ler a resposta.']
      : [`${creditor} recebeu o seu pedido.${until}`, 'Você pode acompanhar tudo na página dos seus direitos.'],
    button: { label: 'Abrir a minha página', url },
    footnotes: [
      `Protocolo: ${protocol}.`,
      'Não pedimos senha nem código. Mensagem automática.',
      genuineLine(publicUrl),
    ],
  };
  const subject = `${sandbox ? '[TESTE] ' : ''}${content.heading}: ${creditor}`;
  return emailOf(subject, content);
}
