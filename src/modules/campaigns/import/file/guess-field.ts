import { foldHeader, NUMBER_OF } from '../../rules/spreadsheet/header-names.ts';
import { type ColumnField, fieldOfName } from '../csv/columns.ts';

/** A lower rank is preferred when two columns could hold the same field. A name without an owner has rank 0. */
export interface Guess {
  readonly field: ColumnField;
  readonly rank: number;
}

/** Who a column speaks of. The one who answers for the bill is preferred to the one whom it is about. */
const OWNERS: readonly (readonly [rank: number, names: readonly string[]])[] = [
  [1, ['responsavelfinanceiro', 'respfinanceiro', 'respfin', 'financeiro']],
  [2, ['responsavel', 'resp', 'pagador', 'devedor', 'sacado', 'titular']],
  [3, ['cliente', 'contratante', 'associado', 'locatario', 'inquilino', 'condomino']],
  [4, ['aluno', 'aluna', 'alunoa', 'paciente', 'estudante']],
];
/** Ranks up to this one mean the same person. */
const LAST_RESPONSIBLE = 2;
const LINKS = ['', 'do', 'da', 'doa'];

const PHONES = ['telefone', 'celular', 'fone', 'tel', 'cel', 'whatsapp', 'whats', 'zap', 'telefonecelular'];
const EMAILS = ['email', 'mail', 'correioeletronico', 'enderecodeemail'];
const NAMES = ['nome', 'nomecompleto'];
const BOTH_TAX_IDS = ['cpfcnpj', 'cnpjcpf', 'cpfoucnpj', 'documentocpfcnpj'];

/** `Vlr. em aberto` and `Vl. em aberto` are as usual as `Valor em aberto`. */
const abbreviated = (name: string): string[] =>
  name.startsWith('valor') ? [name, ...['vlr', 'vl'].map((short) => `${short}${name.slice('valor'.length)}`)] : [name];

const AMOUNTS = [
  ...[
    'valor',
    'valororiginal',
    'valornominal',
    'valorprincipal',
    'valoremaberto',
    'valoraberto',
    'valordevido',
    'valorvencido',
  ],
  ...['valordaparcela', 'valorparcela', 'valordotitulo', 'valortitulo', 'valordoboleto', 'valorboleto'],
  ...['valordamensalidade', 'valormensalidade', 'valordafatura', 'valorfatura', 'valordanota', 'valornota'],
  ...['valordodebito', 'valordebito', 'valordadivida', 'valordivida', 'valoremreais', 'valoraberto'],
  ...['saldodevedor', 'saldoemaberto', 'saldo', 'montante', 'divida', 'debito', 'emaberto'],
];

/** What is billed is an amount when its header has the sign of reais: `Mensalidade (R$)`. */
const BILLED: ReadonlySet<string> = new Set(['mensalidade', 'parcela', 'fatura', 'boleto', 'titulo', 'total']);

const DUE = ['vencimento', 'vencto', 'vcto', 'venc', 'vencim'];
const DUE_DATES = [
  ...DUE,
  ...DUE.flatMap((due) => ['data', 'datade', 'datado', 'dt', 'dtde'].map((date) => `${date}${due}`)),
  ...['vencimentooriginal', 'vencimentodoboleto', 'vencimentodaparcela', 'vencimentodotitulo', 'venceem'],
];

const BILLS = ['fatura', 'boleto', 'nota', 'notafiscal', 'nf', 'titulo', 'cobranca'];
const INVOICES = [
  ...BILLS,
  ...BILLS.flatMap((bill) => NUMBER_OF.map((number) => `${number}${bill}`)),
  ...['nossonumero', 'codigodoboleto', 'codigodafatura', 'iddafatura', 'idfatura', 'idboleto', 'idcobranca'],
];

const DESCRIPTIONS = [
  'descricao',
  'procedimento',
  'referente',
  'referentea',
  'servico',
  'produto',
  'descricaodoservico',
];

function buildGuesses(): ReadonlyMap<string, Guess> {
  const guesses = new Map<string, Guess>();
  const add = (name: string, field: ColumnField, rank: number) => {
    if (!guesses.has(name)) guesses.set(name, { field, rank });
  };
  const owned = (words: readonly string[], field: ColumnField) => {
    for (const word of words) {
      add(word, field, 0);
      for (const [rank, owners] of OWNERS)
        for (const owner of owners) for (const link of LINKS) add(`${word}${link}${owner}`, field, rank);
    }
  };
  owned(NAMES, 'debtorName');
  for (const [rank, owners] of OWNERS)
    for (const owner of owners) if (owner !== 'financeiro') add(owner, 'debtorName', rank);
  add('razaosocial', 'debtorName', 3);
  owned(PHONES, 'debtorPhone');
  owned(EMAILS, 'debtorEmail');
  owned(BOTH_TAX_IDS, 'debtorTaxId');
  owned(['cpf'], 'debtorCpf');
  owned(['cnpj'], 'debtorCnpj');
  for (const name of AMOUNTS.flatMap(abbreviated)) add(name, 'originalAmount', 1);
  for (const name of abbreviated('valortotal')) add(name, 'originalAmount', 2);
  for (const name of DUE_DATES) add(name, 'dueDate', 1);
  for (const name of INVOICES) add(name, 'invoiceId', 1);
  for (const [at, name] of DESCRIPTIONS.entries()) add(name, 'description', at + 1);
  return guesses;
}

const GUESSES = buildGuesses();

/** `Valor (R$)` is an amount in reais. Without its sign the name would end in an `r`. */
const withoutCurrency = (header: string): string => header.replace(/\(?R\$\)?/gi, '');

const guessOfName = (name: string): Guess | null =>
  GUESSES.get(name) ?? GUESSES.get(/[1-9]$/.test(name) ? name.slice(0, -1) : '') ?? null;

/**
 * Guesses what a column holds by its whole header, never by a part of it: `Valor pago` is no amount due. The names of the
 * CSV import come first. A percentage is never an amount.
 */
export function guessField(header: string): Guess | null {
  if (header.includes('%')) return null;
  const name = foldHeader(header);
  const known = fieldOfName(name);
  if (known !== undefined) return { field: known, rank: 0 };
  const bare = withoutCurrency(header);
  if (bare === header) return guessOfName(name);
  const bareName = foldHeader(bare);
  if (BILLED.has(bareName)) return { field: 'originalAmount', rank: 2 };
  const cleaned = fieldOfName(bareName);
  return guessOfName(bareName) ?? (cleaned === undefined ? null : { field: cleaned, rank: 0 });
}

const personOf = (rank: number): number => (rank > 0 && rank <= LAST_RESPONSIBLE ? 1 : rank);

/**
 * Orders the guesses of one sheet. What is guessed of a person belongs to the one whose name is imported: the CPF of
 * `CPF do responsável` when the name is that of `Responsável`. What belongs to somebody less responsible is left out,
 * because a bill must not be mentioned to a pupil whose parents owe it.
 */
export function rankGuesses<G extends Guess>(guesses: readonly G[]): G[] {
  const debtor = Math.min(...guesses.filter(({ field }) => field === 'debtorName').map(({ rank }) => rank));
  const isOfDebtor = ({ field, rank }: G) => field.startsWith('debtor') && personOf(rank) === personOf(debtor);
  const isOfOther = ({ field, rank }: G) =>
    field.startsWith('debtor') && debtor > 0 && Number.isFinite(debtor) && personOf(rank) > personOf(debtor);
  return guesses
    .filter((guess) => !isOfOther(guess))
    .sort((one, other) => Number(isOfDebtor(other)) - Number(isOfDebtor(one)) || one.rank - other.rank);
}
