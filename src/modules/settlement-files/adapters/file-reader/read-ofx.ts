import { isUtf8 } from 'node:buffer';
import { parseLocalDate } from '../../../../kernel/calendar.ts';
import { amountOfOfx } from '../../rules/amounts.ts';
import { methodInText } from '../../rules/payment-words.ts';
import { pixIdsIn } from '../../rules/pix-ids.ts';
import type { FileRow } from '../../rules/received-row.ts';
import type { FormatReader } from './batches.ts';

const OPEN = 0x3c;
const CLOSE = 0x3e;
/** A longer text between angle brackets is no tag. */
const MAX_TAG = 64;
const MAX_VALUE_BYTES = 2_048;
const MAX_MEMO = 500;
const MAX_ID = 255;

/** A tag in upper case, `/STMTTRN` for an end, with the text up to the next tag. */
export interface OfxTag {
  readonly tag: string;
  readonly text: () => string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const MAX_CODE_POINT = 0x10ffff;
const readEntity = (whole: string, name: string): string => {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
};
const clean = (text: string): string =>
  text
    .replace(/^<!\[CDATA\[|\]\]>$/g, '')
    .replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,4});/gi, readEntity)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Returns where a tag ends; -1 when the bracket opens none. */
function endOfTag(bytes: Buffer, from: number): number {
  const end = bytes.subarray(from, from + MAX_TAG).indexOf(CLOSE);
  return end === -1 ? -1 : from + end;
}

const CDATA = Buffer.from('<![CDATA[');
const CDATA_END = Buffer.from(']]>');

/** Yields the tags of both forms of OFX: in SGML a value has no end tag, and in XML it has one. */
export function* ofxTags(bytes: Buffer): Generator<OfxTag> {
  // The header of many files names another encoding than that of their texts, so the bytes decide.
  const decoder = new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  let at = bytes.indexOf(OPEN);
  while (at !== -1) {
    const end = endOfTag(bytes, at + 1);
    let next = bytes.indexOf(OPEN, (end === -1 ? at : end) + 1);
    if (end !== -1) {
      const from = end + 1;
      if (next !== -1 && bytes.subarray(next, next + CDATA.length).equals(CDATA)) {
        const close = bytes.indexOf(CDATA_END, next);
        next = close === -1 ? -1 : bytes.indexOf(OPEN, close + CDATA_END.length);
      }
      const to = Math.min(next === -1 ? bytes.length : next, from + MAX_VALUE_BYTES);
      const tag = bytes
        .toString('latin1', at + 1, end)
        .trim()
        .toUpperCase();
      yield { tag, text: () => clean(decoder.decode(bytes.subarray(from, to)).trim()) };
    } else yield { tag: '', text: () => '' };
    at = next;
  }
}

const ACCOUNT = ['BANKID', 'BRANCHID', 'ACCTID'] as const;
const OF_TRANSACTION: ReadonlySet<string> = new Set([
  'TRNTYPE',
  'DTPOSTED',
  'TRNAMT',
  'FITID',
  'NAME',
  'MEMO',
  'CHECKNUM',
  'REFNUM',
]);
const METHODS_OF_TYPES = { CASH: 'cash', CHECK: 'cheque', DIRECTDEP: 'bank_transfer', XFER: 'bank_transfer' } as const;
const CREDIT_CARD = 'CCSTMTRS';

/** Returns the day that the bank writes. Many write midnight in GMT for a Brazilian day, so no zone is applied. */
const dayOf = (text: string): string | null =>
  /^\d{8}/.test(text) ? parseLocalDate(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`) : null;

/** Reads the credits of bank statements. The statement of a card says what the company itself has paid. */
export function createOfxReader(): FormatReader<OfxTag> {
  const rows: FileRow[] = [];
  const account = new Map<string, string>();
  let transaction: Map<string, string> | null = null;
  let number = 0;
  let [isOpen, isEnded, isCard] = [false, false, false];

  const finish = (): void => {
    const read = transaction;
    transaction = null;
    if (read === null || isCard) return;
    const textOf = (tag: string): string => read.get(tag) ?? '';
    const amount = amountOfOfx(textOf('TRNAMT'));
    if (amount === 'debit') return;
    const paidOn = dayOf(textOf('DTPOSTED'));
    if (amount === null || paidOn === null) {
      rows.push({ row: number, code: amount === null ? 'amount_invalid' : 'date_invalid' });
      return;
    }
    const memo = [...new Set([textOf('NAME'), textOf('MEMO')])].join(' ').trim();
    const id = textOf('FITID').slice(0, MAX_ID);
    const type = textOf('TRNTYPE').toUpperCase();
    rows.push({
      row: number,
      invoiceId: null,
      ourNumber: null,
      taxId: null,
      ...pixIdsIn([memo, id, textOf('CHECKNUM'), textOf('REFNUM')].join(' ')),
      memo: memo === '' ? null : memo.slice(0, MAX_MEMO),
      // Some banks number the transactions of each file from 1, so the day and the amount belong to the id.
      sourceId: id === '' ? null : [...ACCOUNT.map((tag) => account.get(tag) ?? ''), id, paidOn, amount].join('/'),
      amountCentavos: amount,
      paidOn,
      method: methodInText(memo) ?? METHODS_OF_TYPES[type as keyof typeof METHODS_OF_TYPES] ?? null,
    });
  };

  return {
    take({ tag, text }) {
      if (tag === 'OFX') isOpen = true;
      else if (tag === '/OFX') isEnded = isOpen && transaction === null;
      else if (tag === 'STMTTRN') {
        finish();
        number += 1;
        transaction = new Map();
      } else if (tag === '/STMTTRN' || tag === '/BANKTRANLIST') finish();
      else if (tag === CREDIT_CARD || tag === `/${CREDIT_CARD}`) isCard = tag === CREDIT_CARD;
      else if (tag === 'BANKACCTFROM') account.clear();
      else if (transaction !== null && OF_TRANSACTION.has(tag)) transaction.set(tag, text());
      else if (transaction === null && ACCOUNT.some((one) => one === tag)) account.set(tag, text().slice(0, MAX_TAG));
      return true;
    },
    rows: () => (isEnded ? rows : null),
    get found() {
      return rows.length;
    },
  };
}
