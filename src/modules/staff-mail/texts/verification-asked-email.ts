import { type Email, emailOf } from '../../../platform/mail/email.ts';

/** A mail repeats nothing that a company has entered, so it names the company by its id alone. */
export function verificationAskedEmail({ clientId }: { readonly clientId: string }): Email {
  const content = {
    heading: 'Uma empresa pede verificação',
    paragraphs: [
      'Uma empresa que usa o seu Quita pede que você confira o nome, o CNPJ e o endereço dela. Sem isso ela não pode falar com pessoas reais.',
      `O código da empresa é ${clientId}. Confira os dados na Receita Federal e registre o que foi conferido, como operador ou pelo terminal: quita clients verify ${clientId}`,
    ],
    footnotes: ['Este pedido chega no máximo uma vez por dia de cada empresa.'],
  };
  return emailOf('Quita: uma empresa pede verificação', content);
}
