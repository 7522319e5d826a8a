import { companyNameOf, firstNameOf } from '../../../kernel/first-name.ts';
import { formatReais } from '../../../kernel/money.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import { genuineLine } from '../../../kernel/texts/genuine.ts';
import { oneLine } from '../../../kernel/texts/one-line.ts';
import { METHOD_PHRASES } from '../../../kernel/texts/payment-methods.ts';
import { TEST_MARK } from '../../../kernel/texts/sandbox-mark.ts';
import { type Email, emailOf } from '../../../platform/mail/email.ts';
import { rightsLine } from '../../messaging/texts/message-email.ts';

export interface ReceiptEmailInput {
  readonly debtorName: string;
  readonly debtorIsCompany: boolean;
  readonly creditorName: string;
  readonly amountCentavos: number;
  /** Pix when it is absent; null when several payments made up the amount. */
  readonly method?: PaymentMethod | null;
  readonly protocol: string;
  readonly downloadUrl: string;
  readonly verifyUrl: string;
  readonly rightsUrl: string | null;
  readonly publicUrl: string;
  readonly sandbox: boolean;
}

/** The e-mail with the Termo de Quitação for the debtor; the sender attaches the PDF. */
export function receiptEmail(input: ReceiptEmailInput): Email {
  const creditor = oneLine(input.creditorName);
  const addressed = input.debtorIsCompany ? companyNameOf(input.debtorName) : firstNameOf(input.debtorName);
  const { method = 'pix' } = input;
  const how = method === null ? '' : ` ${METHOD_PHRASES[method]}`;
  const content = {
    heading: 'Pagamento confirmado: sua dívida está quitada',
    notice: input.sandbox ? TEST_MARK : undefined,
    paragraphs: [
      `Olá, ${addressed}. ${creditor} confirma o recebimento de ${formatReais(input.amountCentavos)}${how}.`,
      `O Termo de Quitação, protocolo ${input.protocol}, está anexo. Guarde-o: ele comprova que nada mais é devido por esta dívida.`,
      'Se a dívida constar de cadastro de inadimplentes, o credor deve promover a exclusão em até 5 (cinco) dias úteis.',
    ],
    button: { label: 'Baixar o Termo de Quitação', url: input.downloadUrl },
    footnotes: [
      `Para conferir a autenticidade do termo: ${input.verifyUrl}`,
      ...(input.rightsUrl === null ? [] : [rightsLine(input.rightsUrl)]),
      genuineLine(input.publicUrl),
      'Mensagem automática; não é preciso responder.',
    ],
  };
  const subject = `${input.sandbox ? '[TESTE] ' : ''}Termo de Quitação ${input.protocol} - ${creditor}`;
  return emailOf(subject, content);
}
