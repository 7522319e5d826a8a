import type { ImportFileResult } from '../api/client.ts';
import { formatCount, formatMoney } from '../format.ts';

type Field = NonNullable<ImportFileResult['columns'][number]['field']>;
type Code = ImportFileResult['errors'][number]['code'];

const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'linha' : 'linhas'}`;
const debts = (count: number): string => `${formatCount(count)} ${count === 1 ? 'dívida' : 'dívidas'}`;

/** What the import takes, as the person chooses it for a column. */
export const IMPORT_FIELD: Readonly<Record<Field, string>> = {
  debtorName: 'Nome de quem paga',
  debtorPhone: 'Telefone',
  debtorPhones: 'Outros telefones',
  debtorCpf: 'CPF',
  debtorCnpj: 'CNPJ',
  debtorTaxId: 'CPF ou CNPJ',
  originalAmount: 'Valor',
  dueDate: 'Vencimento',
  invoiceId: 'Número da fatura',
  debtorEmail: 'E-mail',
  debtorEmails: 'Outros e-mails',
  consentAt: 'Data do consentimento',
  consentSource: 'Origem do consentimento',
  description: 'Descrição para a pessoa',
};

/** What is missing, where one field of several would do. */
export const MISSING_FIELD: Readonly<Partial<Record<Field, string>>> = { debtorCpf: 'CPF ou CNPJ' };

const PROBLEM: Readonly<Record<Code | 'no_debt', string>> = {
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
  text_refused: 'não pode ter links, ameaças ou pressão: a pessoa que deve lê este texto',
  too_long: 'tem valores demais ou um texto longo demais',
  duplicate: 'Já está no Quita, ou está repetida nesta planilha',
  no_debt: 'Quase vazia: parece um total ou um título, e não uma dívida',
};

const MONTHS = [
  ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho'],
  ...['julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro'],
];

/** Says `setembro não tem dia 31` for a day that its month does not have; null for any other value. */
function missingDay(value: string | null): string | null {
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{2}|\d{4})$/.exec(value ?? '') ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined || Number(day) < 29) return null;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) <= days) return null;
  return `${name}${month === '02' || month === '2' ? ` de ${year}` : ''} não tem dia ${Number(day)}`;
}

/** A sentence on one cell, or on the whole row. */
export function problemText(field: Field | null, code: Code | 'no_debt', value: string | null = null): string {
  if (code === 'duplicate' || code === 'no_debt') return PROBLEM[code];
  const day = code === 'date_invalid' ? missingDay(value) : null;
  if (day !== null) return `${field === null ? 'A linha' : IMPORT_FIELD[field]}: ${day}`;
  return `${field === null ? 'A linha' : IMPORT_FIELD[field]} ${PROBLEM[code]}`;
}

export const IMPORT = {
  title: 'Importar planilha',
  steps: 'Etapas',
  stepNames: { file: 'Arquivo', columns: 'Colunas', check: 'Conferir', done: 'Importar' },
  stepDone: '(feita)',
  campaign: 'Campanha',
  closedTitle: 'Esta campanha já terminou',
  closedText: 'Uma campanha concluída ou arquivada não recebe mais dívidas. Crie outra para esta planilha.',
  toCampaigns: 'Ver campanhas',
  toCampaign: 'Ver a campanha',
  toRehearsal: 'Ensaiar o lançamento',

  fileHeading: 'Escolha a planilha',
  choose: 'Escolher arquivo',
  dropHere: 'ou arraste o arquivo para cá',
  limits: 'CSV ou Excel (.xlsx), até 32 MB e 50.000 linhas.',
  nothingYet: 'Escolher o arquivo ainda não importa nada: antes você confere as colunas e as linhas.',
  needsHeading: 'O que a planilha precisa ter',
  needsCaption: 'Colunas de que o Quita precisa',
  needsColumn: 'Coluna',
  needsExample: 'Exemplo',
  needs: [
    ['Nome de quem paga', 'Ana Souza Lima'],
    ['Telefone com DDD', '(11) 98765-0001'],
    ['CPF ou CNPJ', '529.982.247-25'],
    ['Valor', 'R$ 1.200,50'],
    ['Vencimento', '20/11/2026'],
  ],
  needsMore:
    'As colunas podem ter qualquer nome e ordem, e outras colunas não atrapalham. Número da fatura e e-mail são opcionais; sem eles, a fatura é reconhecida por CPF, valor e vencimento.',
  template: 'Baixar modelo (CSV)',
  templateName: 'modelo-quita.csv',
  templateColumns: ['Nome', 'Telefone', 'CPF', 'Valor', 'Vencimento', 'Fatura', 'E-mail'],
  refused: (name: string) => `O arquivo “${name}” não pode ser lido`,
  refusals: {
    too_large: 'Ele tem mais de 32 MB. Divida a planilha em partes, ou apague imagens e abas que não são necessárias.',
    empty: 'Ele está vazio.',
    old_excel:
      'É um Excel antigo (.xls) ou tem senha. No Excel: Arquivo → Salvar como → Pasta de Trabalho do Excel (.xlsx), sem senha.',
    pdf: 'É um PDF. Envie a planilha em que os dados estão, como .xlsx ou CSV.',
    html: 'É uma página da internet com nome de planilha, como alguns sistemas exportam. Abra no Excel e salve como .xlsx.',
    binary: 'Não é uma planilha que o Quita conheça. Salve como .xlsx ou como CSV em UTF-8.',
    unreadable:
      'O navegador não conseguiu ler o arquivo. Se ele está aberto em outro programa, feche e escolha de novo.',
    several: 'Envie um arquivo de cada vez.',
    unsupported_format: 'Não é uma planilha que o Quita conheça. Salve como .xlsx, sem senha, ou como CSV.',
    invalid_format: 'O arquivo está danificado. Abra-o na planilha, salve de novo como .xlsx e escolha outra vez.',
    too_long: 'A planilha passa dos limites: até 50.000 linhas, 200 colunas e 20 abas. Divida-a em partes.',
    too_short: 'Não há nenhuma linha abaixo dos títulos. Confira se a planilha foi salva com os dados.',
  },

  sending: (percent: number) => `Enviando o arquivo: ${percent} %`,
  reading: 'O Quita está lendo a planilha…',
  checking: 'O Quita está conferindo as linhas…',
  importing: 'O Quita está importando as linhas…',
  slow: 'Uma planilha grande leva alguns segundos. Pode sair desta tela: nada se perde.',
  slowImport: 'Uma planilha grande leva alguns segundos. Se você sair desta tela, a importação continua.',

  columnsHeading: 'Diga o que é cada coluna',
  fileFacts: (name: string, count: number) => `${name} · ${rows(count)}`,
  sheet: 'Aba da planilha',
  noRows: 'Nesta aba não há nenhuma linha abaixo de títulos. Escolha outra aba.',
  sheetAuto: 'Primeira aba com dados',
  columnsCaption: 'Colunas da planilha e o campo do Quita em que cada uma entra',
  yourColumn: 'Sua coluna',
  samples: 'Exemplos',
  field: 'Campo do Quita',
  fieldOf: (header: string) => `Campo do Quita para a coluna ${header}`,
  leaveOut: 'Não importar',
  required: (field: string) => `${field} *`,
  heldBy: (field: string, header: string) => `${field} (hoje em “${header}”)`,
  moved: (field: string, from: string, to: string) =>
    `${field} vem agora de “${to}”. A coluna “${from}” não será importada.`,
  requiredHint: 'Os campos com * são obrigatórios. Cada campo vem de uma só coluna.',
  noSamples: '(vazia)',
  missing: (fields: readonly string[]) =>
    fields.length === 1
      ? `Falta dizer qual coluna é: ${fields[0]}.`
      : `Falta dizer quais colunas são: ${fields.join(', ')}.`,
  remembered: 'Usamos as suas escolhas da última planilha com estes títulos. Confira antes de seguir.',
  shortYears: 'Anos com dois dígitos são lidos como 20xx: 05/10/26 é 05/10/2026.',
  noHeader:
    'A primeira linha parece ter dados, e não títulos de colunas. Acrescente uma linha de títulos acima dela; senão essa linha não entra.',
  check: (count: number) => `Conferir ${rows(count)}`,
  back: 'Voltar',
  change: 'Trocar arquivo',

  checkHeading: 'Confira antes de importar',
  enter: 'Entram',
  known: 'Repetidas',
  wrong: 'Com erro',
  enterNote: (amount: number) => `somam ${formatMoney(amount)}`,
  knownNote: 'já estão no Quita ou se repetem na planilha',
  wrongNote: 'ficam de fora até serem corrigidas',
  wrongNone: 'nenhum problema',
  allGood: 'Todas as linhas estão certas.',
  nothingNew: (count: number) =>
    count === 1
      ? 'Nada mudou: a linha desta planilha já está no Quita.'
      : `Nada mudou: as ${formatCount(count)} linhas desta planilha já estão no Quita.`,
  nothingNewButWrong: (count: number) =>
    `Nada mudou: ${count === 1 ? 'a linha certa já está' : `as ${formatCount(count)} linhas certas já estão`} no Quita. Corrija as linhas com erro e troque o arquivo.`,
  noneGood: 'Nenhuma linha pode entrar. Corrija a planilha e troque o arquivo, ou volte e confira as colunas.',
  problemsHeading: 'O que corrigir',
  knownHeading: 'Linhas repetidas',
  problemsCaption: 'Problemas encontrados, pela linha da planilha',
  filter: 'Mostrar problemas de',
  all: 'Todos',
  wholeRow: 'Linha inteira',
  row: 'Linha',
  column: 'Coluna',
  value: 'Valor',
  problem: 'Problema',
  emptyValue: '(vazio)',
  page: (from: number, to: number, total: number) =>
    `${formatCount(from)} a ${formatCount(to)} de ${formatCount(total)}`,
  pageBefore: 'Anteriores',
  pageNext: 'Próximos',
  firstPage: 'Estes são os primeiros',
  lastPage: 'Estes são os últimos',
  downloadWrong: (count: number) => `Baixar as ${rows(count)} com erro (CSV)`,
  downloadLeft: (count: number) => `Baixar as ${rows(count)} que não entram (CSV)`,
  downloadOne: 'Baixar a linha com erro (CSV)',
  downloadOneLeft: 'Baixar a linha que não entra (CSV)',
  downloadHint: 'Cada linha vem com o motivo ao lado. Corrija no mesmo arquivo e importe-o aqui depois.',
  downloadName: 'linhas-com-erro.csv',
  downloaded: 'Arquivo com as linhas baixado.',
  import: (count: number) => (count === 1 ? 'Importar a linha certa' : `Importar as ${rows(count)}`),
  importOnlyGood: 'As linhas com erro ficam de fora. Você pode corrigi-las e importar depois.',
  nothingToImport: 'Nenhuma linha para importar',
  runningNote:
    'Esta campanha está em andamento: as dívidas que entram agora passam a ser contatadas conforme as regras, sem outro lançamento.',
  runningTitle: 'Importar em uma campanha em andamento?',
  runningConfirm: (count: number, amount: number) =>
    `${debts(count)}, ${formatMoney(amount)}: estas pessoas reais passam a ser contatadas conforme as regras, sem outro lançamento. Não pode ser desfeito.`,
  runningTest: 'Esta campanha é um teste em andamento: as dívidas novas entram no simulador.',

  doneHeading: 'Planilha importada',
  unchangedHeading: 'Nada mudou',
  imported: (count: number, amount: number) =>
    `${debts(count)} ${count === 1 ? 'entrou' : 'entraram'}, no valor de ${formatMoney(amount)}.`,
  doneKnown: (count: number) =>
    count === 1
      ? '1 linha já existia e não entrou de novo.'
      : `${formatCount(count)} linhas já existiam e não entraram de novo.`,
  doneWrong: (count: number) =>
    count === 1 ? '1 linha com erro ficou de fora.' : `${formatCount(count)} linhas com erro ficaram de fora.`,
  draftNext:
    'Nenhuma mensagem foi enviada. O próximo passo é o ensaio: você vê quem será contatado, quando e com que texto.',
  runningNext: 'As dívidas novas já fazem parte da campanha em andamento.',
  pausedNext: 'A campanha está pausada: as dívidas novas esperam até ela ser retomada.',
  another: 'Importar outra planilha',
} as const;
