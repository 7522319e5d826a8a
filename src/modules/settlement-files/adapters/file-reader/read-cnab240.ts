import { centavosOfDigits } from '../../rules/amounts.ts';
import { countOf, dateOfDigits, field, taxIdOf, textOf } from '../../rules/cnab-fields.ts';
import { profile240 } from '../../rules/cnab-profiles.ts';
import { isTxid } from '../../rules/pix-ids.ts';
import type { FileRow } from '../../rules/received-row.ts';
import type { FormatReader } from './batches.ts';

const LENGTH = 240;
/** 06 and 17 are payments. A write-off (09), an entry or a fee is none, and gives no row. */
const SETTLES: ReadonlySet<string> = new Set(['06', '17']);
/** A reason of a payment is the channel through which it came. */
const PIX_CHANNEL = '61';
/** The last position of a segment from which something is read. */
const NEEDED: Readonly<Record<string, number>> = { T: 223, U: 145 };
/** The txid stands in one of these places of segment Y-03: the documents of banks and pycobranca differ. */
const TXID_PLACES = [
  [159, 193],
  [106, 140],
] as const;

/** Reads the segments T, U and Y-03 of a return file with 240 positions in a line. */
export function createCnab240Reader(): FormatReader<string> {
  const rows: FileRow[] = [];
  let [line, lots, linesOfLot] = [0, 0, 0];
  let state: 'start' | 'file' | 'lot' | 'ended' = 'start';
  let bank = '';
  let title: { readonly row: number; readonly text: string } | null = null;
  /** The place of the last payment, to which a segment Y belongs. */
  let last: number | null = null;
  // A file without the blanks at the ends of its lines is complete; a short line beside lines with blanks is torn.
  let [isStripped, hasBlanks] = [false, false];

  const takePayment = (values: string): boolean => {
    if (title === null || field(title.text, [16, 17]) !== field(values, [16, 17])) return false;
    const { row, text } = title;
    title = null;
    last = null;
    if (!SETTLES.has(field(values, [16, 17]))) return true;
    const amountCentavos = centavosOfDigits(field(values, [78, 92]));
    const paidOn = dateOfDigits(field(values, [138, 145]));
    if (amountCentavos === null || paidOn === null) {
      rows.push({ row, code: amountCentavos === null ? 'amount_invalid' : 'date_invalid' });
      return true;
    }
    const places = profile240(bank);
    const reasons: readonly string[] = field(text, places.reasons).match(/../g) ?? [];
    rows.push({
      row,
      invoiceId: textOf(text, places.title) ?? textOf(text, places.titleOfCompany),
      ourNumber: textOf(text, places.ourNumber),
      taxId: taxIdOf(field(text, places.taxIdKind), field(text, places.taxId)),
      txid: null,
      endToEndId: null,
      memo: null,
      sourceId: null,
      amountCentavos,
      paidOn,
      method: reasons.includes(PIX_CHANNEL) ? 'pix' : 'boleto',
    });
    last = rows.length - 1;
    return true;
  };

  const takePix = (text: string): void => {
    if (last === null || !field(text, [15, 19]).includes('03')) return;
    const txid = TXID_PLACES.map((place) => field(text, place).trim()).find(isTxid);
    const row = rows[last]!;
    if (txid !== undefined && 'amountCentavos' in row) rows[last] = { ...row, txid };
  };

  const takeDetail = (text: string): boolean => {
    const segment = field(text, [14, 14]);
    if (text.length < (NEEDED[segment] ?? 0)) return false;
    if (segment === 'U') return takePayment(text);
    if (title !== null) return false;
    if (segment === 'T') title = { row: line, text };
    if (segment === 'Y') takePix(text);
    return true;
  };

  const takeRecord = (text: string): boolean => {
    const kind = field(text, [8, 8]);
    if (state === 'start') {
      bank = field(text, [1, 3]);
      state = 'file';
      return kind === '0' && field(text, [143, 143]) === '2';
    }
    if (field(text, [1, 3]) !== bank) return false;
    if (state === 'file' && kind === '9') {
      state = 'ended';
      return (countOf(text, [18, 23]) ?? lots) === lots && (countOf(text, [24, 29]) ?? line) === line;
    }
    if (state === 'file' && kind === '1') {
      state = 'lot';
      linesOfLot = 1;
      lots += 1;
      return true;
    }
    if (state !== 'lot') return false;
    linesOfLot += 1;
    if (kind !== '5') return kind === '3' ? takeDetail(text) : ['2', '4'].includes(kind);
    state = 'file';
    last = null;
    return title === null && (countOf(text, [18, 23]) ?? linesOfLot) === linesOfLot;
  };

  return {
    take(text) {
      line += 1;
      if (text.length > LENGTH) return false;
      isStripped ||= text.length < LENGTH;
      hasBlanks ||= text.endsWith(' ');
      return !(isStripped && hasBlanks) && takeRecord(text);
    },
    rows: () => (state === 'ended' ? rows : null),
    get found() {
      return rows.length;
    },
  };
}
