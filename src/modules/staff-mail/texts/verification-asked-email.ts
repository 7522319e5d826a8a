import { type Email, htmlPage, plainText } from '../../../platform/mail/email.ts';

interface VerificationAsked {
  readonly clientId: string;
  /** The operators' console. */
  readonly operatorUrl: string;
}

/** The operator reads name and CNPJ at the console: a mail repeats nothing that a company has entered. */
export function verificationAskedEmail({ clientId, operatorUrl }: VerificationAsked): Email {
  const content = {
    heading: 'Uma empresa pede verificação',
    paragraphs: [
      'Uma empresa que usa o seu Quita pede que você confira o nome, o CNPJ e o endereço dela. Sem isso ela não pode falar com pessoas reais.',
      `O código da empresa é ${clientId}. Abra o console do operador, confira os dados na Receita Federal e registre o que foi conferido.`,
    ],
    button: { label: 'Abrir o console do operador', url: operatorUrl },
    footnotes: [`Pelo terminal: quita clients verify ${clientId}`],
  };
  return { subject: 'Quita: uma empresa pede verificação', text: plainText(content), html: htmlPage(content) };
}
