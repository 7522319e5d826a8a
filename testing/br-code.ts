import { crc16 } from '../src/kernel/brcode.ts';

const GUI = 'br.gov.bcb.pix';
const PRINTABLE = /^[\x20-\x7e]*$/;

export interface ParsedBrCode {
  readonly key: string | null;
  readonly url: string | null;
  readonly description: string | null;
  readonly amountCentavos: number | null;
  readonly merchantName: string;
  readonly merchantCity: string;
  /** `null` when the code holds `***`, which stands for no transaction id. */
  readonly txid: string | null;
  readonly singleUse: boolean;
}

/** Returns `null` for a text that a bank app would refuse: wrong checksum or lengths, not Pix, or not in reais. */
export function parseBrCode(text: string): ParsedBrCode | null {
  if (!PRINTABLE.test(text) || text.slice(-8, -4) !== '6304' || crc16(text.slice(0, -4)) !== text.slice(-4))
    return null;
  const fields = readFields(text);
  if (fields === null || fields.get('00') !== '01' || fields.get('53') !== '986' || fields.get('58') !== 'BR')
    return null;
  const account = readFields(fields.get('26') ?? '');
  const additional = readFields(fields.get('62') ?? '');
  const merchantName = fields.get('59');
  const merchantCity = fields.get('60');
  if (account?.get('00')?.toLowerCase() !== GUI || merchantName === undefined || merchantCity === undefined)
    return null;
  const key = account.get('01') ?? null;
  const url = account.get('25') ?? null;
  if ((key === null) === (url === null)) return null;
  const amount = fields.get('54');
  if (amount !== undefined && (amount.length > 13 || !/^\d+\.\d{2}$/.test(amount))) return null;
  const txid = additional?.get('05');
  return {
    key,
    url,
    description: account.get('02') ?? null,
    amountCentavos: amount === undefined ? null : Number(amount.replace('.', '')),
    merchantName,
    merchantCity,
    txid: txid === undefined || txid === '***' ? null : txid,
    singleUse: fields.get('01') === '12',
  };
}

function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const head = text.slice(at, at + 4);
    if (!/^\d{4}$/.test(head)) return null;
    const id = head.slice(0, 2);
    const end = at + 4 + Number(head.slice(2));
    if (end > text.length || fields.has(id)) return null;
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

const field = (id: string, value: string): string => id + String(value.length).padStart(2, '0') + value;

/** Writes the code of a charge that a bank has made, whose payload stands at `url`. */
export function dynamicBrCode(charge: { readonly url: string; readonly amountCentavos: number }): string {
  const text = [
    field('00', '01') + field('01', '12') + field('26', field('00', GUI) + field('25', charge.url)),
    field('52', '0000') +
      field('53', '986') +
      field('54', (charge.amountCentavos / 100).toFixed(2)) +
      field('58', 'BR'),
    field('59', 'CREDORA EXEMPLO LTDA') + field('60', 'SAO PAULO') + field('62', field('05', '***')),
    '6304',
  ].join('');
  return text + crc16(text);
}
