import { oneLine } from '../../../kernel/texts/one-line.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface DisabledWebhook {
  /** The address that the client gave. */
  readonly url: string;
  /** The receiver said that it does not exist any more; otherwise it took nothing for five days. */
  readonly isGone: boolean;
}

/** An address may hold a token in its path or its query, so the mail names the host alone. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

export function webhookDisabledEmail({ url, isGone }: DisabledWebhook): Email {
  const host = oneLine(hostOf(url));
  const notice = {
    heading: 'Um webhook foi desativado',
    paragraphs: [
      isGone
        ? `O seu sistema em ${host} respondeu que o endereço do webhook não existe mais (410 Gone). Por isso o Quita parou de enviar eventos para ele.`
        : `O seu sistema em ${host} não aceita os eventos do Quita há cinco dias. Por isso o envio para este webhook parou.`,
      'Nenhuma cobrança foi afetada. Os eventos dos últimos 30 dias continuam disponíveis em GET /api/events.',
      'O que fazer: corrija o sistema que recebe os eventos, envie um evento de teste (POST /api/webhooks/:id/test) e ative o webhook de novo (PATCH /api/webhooks/:id com "state": "active"). As entregas que falharam podem ser pedidas outra vez, uma a uma.',
    ],
    footnotes: ['Este aviso sai uma vez para cada desativação. A situação atual está em GET /api/webhooks.'],
  };
  return emailOf('Quita: um webhook foi desativado', notice);
}
