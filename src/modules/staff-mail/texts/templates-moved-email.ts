import { localMoment } from '../../../kernel/texts/format.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface MovedTemplate {
  readonly name: string;
  readonly marketingFrom: Date | null;
}

const BRASILIA = -3;
/** An e-mail names so many; the console shows all. */
const MAX_NAMED = 10;

/** WhatsApp, which alone approves templates, takes some for advertising. */
export function templatesMovedEmail(
  { shownAs }: { readonly shownAs: string },
  templates: readonly MovedTemplate[],
  now: Date,
): Email {
  const isAnnounced = templates.every(({ marketingFrom }) => marketingFrom !== null && marketingFrom > now);
  const heading = isAnnounced
    ? 'WhatsApp: a Meta vai mudar a categoria de modelos'
    : 'WhatsApp: a Meta mudou a categoria de modelos';
  const named = templates
    .slice(0, MAX_NAMED)
    .map(({ name, marketingFrom }) =>
      marketingFrom !== null && marketingFrom > now
        ? `${name} (a partir de ${localMoment(marketingFrom, BRASILIA).date})`
        : name,
    );
  const more = templates.length > MAX_NAMED ? ` e mais ${templates.length - MAX_NAMED}` : '';
  const notice = {
    heading,
    paragraphs: [
      `A Meta passou a tratar como marketing modelos do número ${oneLine(shownAs)}: ${named.join(', ')}${more}. Mensagens de marketing custam cerca de nove vezes mais e não chegam a todo mundo, por isso o serviço não envia por esses modelos.`,
      'Nenhuma cobrança se perde: o que precisaria desses modelos segue por outro canal que a sua empresa tenha conectado, ou espera. Respostas a quem escreveu nas últimas 24 horas continuam saindo.',
      'O que fazer: no Gerenciador do WhatsApp, em Modelos de mensagem, abra o modelo e peça a análise da categoria. Quando a Meta voltar para utilidade, os envios voltam sozinhos em até seis horas, ou na hora se você clicar em “Enviar modelos”, em Conta, Canais e pagamento.',
    ],
    footnotes: ['A situação de cada modelo está em Conta, Canais e pagamento, e em GET /api/channels/templates.'],
  };
  return emailOf(`Quita: ${heading}`, notice);
}
