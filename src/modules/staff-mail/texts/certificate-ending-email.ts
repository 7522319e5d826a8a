import { oneLine } from '../../../kernel/texts/one-line.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';

export interface EndingCertificate {
  /** The bank; null where it has no name. */
  readonly bank: string | null;
  /** The Pix key of the account. */
  readonly key: string;
  readonly expiresAt: Date;
}

const DAY = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' });

/** The certificate of an account at a bank ends soon, or has ended. */
export function certificateEndingEmail({ bank, key, expiresAt }: EndingCertificate, now: Date): Email {
  const [ended, day] = [expiresAt <= now, DAY.format(expiresAt)];
  const heading = ended ? `O certificado do Pix venceu em ${day}` : `O certificado do Pix vence em ${day}`;
  const account = `da conta ${bank === null ? '' : `${oneLine(bank)} `}com a chave ${oneLine(key)}`;
  const notice = {
    heading,
    paragraphs: [
      ended
        ? `O certificado ${account} venceu. Sem ele o banco não aceita novas cobranças nem confirma pagamentos.`
        : `O certificado ${account} vence em ${day}. Depois dessa data o banco não aceita novas cobranças nem confirma pagamentos.`,
      'O que fazer: gere um novo certificado no banco e conecte a conta de novo, com a mesma chave, em Contas de recebimento. As cobranças abertas continuam valendo, e nenhum pagamento se perde.',
    ],
    footnotes: ['Este aviso sai 30, 7 e 1 dia antes do vencimento.'],
  };
  return emailOf(`Quita: ${heading}`, notice);
}
