/**
 * Why a row of a spreadsheet was not imported, for the staff who correct it, here and in the console. The keys are the
 * codes of the import.
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

const FIELDS: Readonly<Record<string, string>> = {
  debtorName: 'Nome',
  debtorPhone: 'Telefone',
  debtorPhones: 'Telefones',
  debtorCpf: 'CPF',
  debtorCnpj: 'CNPJ',
  originalAmount: 'Valor',
  dueDate: 'Vencimento',
  invoiceId: 'Fatura',
  debtorEmail: 'E-mail',
  debtorEmails: 'E-mails',
  consentAt: 'Data do consentimento',
  consentSource: 'Origem do consentimento',
  description: 'Descrição',
};

const DUPLICATE = 'Esta dívida já foi importada ou está repetida na planilha';

/** Writes `CPF não confere: verifique os dígitos`. A problem without a field concerns the whole row. */
export function reasonOf(code: string, field: string | undefined): string {
  if (code === 'duplicate') return DUPLICATE;
  const problems: Readonly<Record<string, string>> = IMPORT_PROBLEMS;
  return `${FIELDS[field ?? ''] ?? 'A linha'} ${problems[code] ?? 'não pôde ser lido'}`;
}

/** The header of the column that holds the reasons. */
export const REASON_HEADER = 'erro';
