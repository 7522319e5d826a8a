import { foldHeader, NUMBER_OF } from '../../campaigns/rules/spreadsheet/header-names.ts';
import type { FileColumns } from './received-row.ts';

export type PaymentField = keyof FileColumns;

const BILLS = [
  'fatura',
  'titulo',
  'nota',
  'notafiscal',
  'nf',
  'nfe',
  'nfse',
  'boleto',
  'documento',
  'doc',
  'cobranca',
  'duplicata',
  'pedido',
];
const NUMBERS = [...NUMBER_OF, 'codigoda', 'codigodo', 'id', 'idda', 'iddo'];
const TAX_IDS = ['cpf', 'cnpj', 'cpfcnpj', 'cnpjcpf', 'cpfoucnpj', 'documentocpfcnpj', 'taxid'];
const OWNERS = [
  'cliente',
  'pagador',
  'sacado',
  'devedor',
  'responsavel',
  'respfinanceiro',
  'responsavelfinanceiro',
  'aluno',
  'paciente',
];
const PAID = ['pago', 'recebido', 'liquidado', 'baixado', 'creditado', 'quitado'];
const DAYS = [
  'pagamento',
  'pagto',
  'pgto',
  'recebimento',
  'recebto',
  'liquidacao',
  'baixa',
  'quitacao',
  'credito',
  'ocorrencia',
];
const DATES = ['data', 'dt', 'datade', 'datado', 'datada', 'dtde', 'dtdo', 'dtda', 'dia', 'diado'];
const AMOUNTS = ['valor', 'vlr', 'vl', 'total', 'valortotal', 'montante', 'quantia'];
const METHODS = [
  'formadepagamento',
  'formapagamento',
  'formadepagto',
  'formapagto',
  'formapgto',
  'formadepgto',
  'forma',
  'formaderecebimento',
  'meiodepagamento',
  'meiopagamento',
  'meio',
  'metododepagamento',
  'metodo',
  'tipodepagamento',
  'tipopagamento',
  'modalidade',
  'method',
];

/** The folded names of each field, the best one first: `Valor pago` tells more than `Valor`. */
const NAMES: Readonly<Record<PaymentField, readonly string[]>> = {
  invoiceId: [
    'invoiceid',
    'invoice',
    ...BILLS.flatMap((bill) => [bill, ...NUMBERS.map((number) => `${number}${bill}`)]),
    'seunumero',
    'identificador',
    'referencia',
  ],
  cpf: TAX_IDS.flatMap((taxId) => [
    taxId,
    ...OWNERS.flatMap((owner) => ['', 'do', 'da'].map((link) => `${taxId}${link}${owner}`)),
  ]),
  paidAt: [
    'paidat',
    'paidon',
    ...DAYS.flatMap((day) => [...DATES.map((date) => `${date}${day}`)]),
    ...PAID.map((paid) => `${paid}em`),
    'pagoem',
    'dtpago',
    'datapago',
    ...DAYS.slice(0, 4),
    'data',
    'dia',
  ],
  amount: [
    'paidamount',
    ...AMOUNTS.flatMap((amount) => [
      ...PAID.map((paid) => `${amount}${paid}`),
      ...DAYS.flatMap((day) => ['', 'do', 'da', 'de'].map((link) => `${amount}${link}${day}`)),
    ]),
    'pago',
    'recebido',
    'amount',
    ...AMOUNTS,
  ],
  method: METHODS,
};

const FIELDS = Object.keys(NAMES) as readonly PaymentField[];
const RANKS: ReadonlyMap<PaymentField, ReadonlyMap<string, number>> = new Map(
  // The first place of a name that is listed twice counts.
  FIELDS.map((field) => [field, new Map([...NAMES[field].entries()].reverse().map(([rank, name]) => [name, rank]))]),
);

/** `Valor pago (R$)` is the name without its currency. */
const nameOf = (header: string): string => foldHeader(header.replace(/\(?R\$\)?/gi, ''));

export function isPaymentHeader(header: string): boolean {
  if (header.includes('%')) return false;
  const name = nameOf(header);
  return FIELDS.some((field) => RANKS.get(field)!.has(name));
}

/** Chooses the position of each field: the given header, else the best name, else the leftmost of equal ones. */
export function paymentColumns(headers: readonly string[], given: FileColumns): Partial<Record<PaymentField, number>> {
  const places: Partial<Record<PaymentField, number>> = {};
  const taken = new Set<number>();
  for (const field of FIELDS) {
    const at = given[field] === undefined ? -1 : headers.indexOf(given[field]);
    if (at === -1) continue;
    places[field] = at;
    taken.add(at);
  }
  for (const field of FIELDS) {
    if (given[field] !== undefined) continue;
    const ranked = headers.flatMap((header, at) => {
      const rank = header.includes('%') || taken.has(at) ? undefined : RANKS.get(field)!.get(nameOf(header));
      return rank === undefined ? [] : [{ at, rank }];
    });
    const best = ranked.sort((one, other) => one.rank - other.rank || one.at - other.at)[0];
    if (best === undefined) continue;
    places[field] = best.at;
    taken.add(best.at);
  }
  return places;
}
