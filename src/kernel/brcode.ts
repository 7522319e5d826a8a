import { LOWER_CASE_UUID } from './uuid.ts';

/** BR Code: the text of a Pix QR code and of Pix copy-and-paste (EMV MPM; Manual do BR Code, BCB). */
const GUI = 'br.gov.bcb.pix';
const NAME_MAX = 25;
const CITY_MAX = 15;
const TEMPLATE_MAX = 99;
const DESCRIPTION_MAX = 72;
const REFERENCE_MAX = 77;
const MAX_CENTAVOS = 999_999_999_999;

const PIX_KEYS = [
  /^\d{11}$/,
  /^[0-9A-Z]{12}\d{2}$/,
  /^\+55\d{10,11}$/,
  LOWER_CASE_UUID,
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/,
];
const TXID = /^[A-Za-z0-9]{1,25}$/;
const LOCATION = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:\/[A-Za-z0-9._~-]+)+$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

interface Merchant {
  readonly merchantName: string;
  readonly merchantCity: string;
  /** When absent, the payer enters the amount (static code) or the payload at `url` holds it (dynamic code). */
  readonly amountCentavos?: number;
}

export interface StaticBrCode extends Merchant {
  readonly key: string;
  readonly txid?: string;
  readonly description?: string;
}

export interface DynamicBrCode extends Merchant {
  /** The location of the payload, without `https://`. */
  readonly url: string;
}

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

export function staticBrCode(code: StaticBrCode): string {
  if (!isPixKey(code.key)) throw new RangeError('the key is not a Pix key');
  if (code.txid !== undefined && !TXID.test(code.txid)) throw new RangeError('a txid is 1 to 25 letters and digits');
  const account = field('00', GUI) + field('01', code.key);
  const available = Math.min(DESCRIPTION_MAX, TEMPLATE_MAX - account.length - 4);
  const description = brCodeText(code.description ?? '', Math.max(available, 0));
  return assembleCode(account + (description === '' ? '' : field('02', description)), '', code, code.txid ?? '***');
}

export function dynamicBrCode(code: DynamicBrCode): string {
  if (!LOCATION.test(code.url) || code.url.length > REFERENCE_MAX)
    throw new RangeError('the URL is not the location of a charge');
  return assembleCode(field('00', GUI) + field('25', code.url), field('01', '12'), code, '***');
}

export function isPixKey(key: string): boolean {
  return key.length <= REFERENCE_MAX && PIX_KEYS.some((pattern) => pattern.test(key));
}

/** Bank apps refuse accents in these fields, so accents are removed before the length is limited. */
export function brCodeText(text: string, maxLength: number): string {
  return text
    .normalize('NFD')
    .replace(/\s/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim();
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

/** Returns the CRC-16/CCITT-FALSE as four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function assembleCode(account: string, initiation: string, merchant: Merchant, txid: string): string {
  const name = brCodeText(merchant.merchantName, NAME_MAX);
  const city = brCodeText(merchant.merchantCity, CITY_MAX);
  if (name === '' || city === '') throw new RangeError('a merchant needs a name and a city');
  const text =
    field('00', '01') +
    initiation +
    field('26', account) +
    field('52', '0000') +
    field('53', '986') +
    (merchant.amountCentavos === undefined ? '' : field('54', amountText(merchant.amountCentavos))) +
    field('58', 'BR') +
    field('59', name) +
    field('60', city) +
    field('62', field('05', txid)) +
    '6304';
  return text + crc16(text);
}

function amountText(centavos: number): string {
  if (!Number.isInteger(centavos) || centavos <= 0 || centavos > MAX_CENTAVOS) {
    throw new RangeError('an amount is a positive whole number of centavos');
  }
  const digits = String(centavos).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value;
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
