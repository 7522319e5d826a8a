/**
 * Written by `scripts/make-web-client.ts`. A problem is changed where the server has it, which writes it into the file of
 * rejected rows too: `src/modules/campaigns/texts/reasons.ts`.
 */
export const IMPORT_PROBLEMS = {
  required: 'está vazio',
  invalid_type: 'tem um valor de outro tipo',
  name_invalid: 'deve ter de 2 a 200 letras, em uma linha, e só o nome, sem links nem avisos',
  phone_invalid: 'não é um número brasileiro com DDD',
  cpf_invalid: 'não confere: verifique os dígitos',
  cnpj_invalid: 'não confere: verifique os dígitos e se a linha tem só CPF ou só CNPJ',
  amount_invalid: 'deve ser maior que zero e ter até duas casas decimais, como 1.234,56',
  date_invalid: 'não é uma data que existe, como 20/11/2026',
  email_invalid: 'não é um endereço de e-mail válido',
  invoice_invalid: 'deve ter de 1 a 100 letras, sem links nem avisos, e estar como texto na planilha',
  invalid_value: 'deve ser um texto em uma linha',
  health_data: 'não pode falar de saúde: a pessoa que deve lê este texto, e outras podem ver',
  text_refused:
    'não pode ter links, ameaças, pressão, pedidos nem dizer que está pago: a pessoa que deve lê este texto',
  too_long: 'tem valores demais ou um texto longo demais',
} as const;
