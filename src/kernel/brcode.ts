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

interface Merchant {
  readonly merchantName: string;
  readonly merchantCity: string;
  /** When absent, the payer enters the amount. */
  readonly amountCentavos?: number;
}

export interface StaticBrCode extends Merchant {
  readonly key: string;
  readonly txid?: string;
  readonly description?: string;
}

export function staticBrCode(code: StaticBrCode): string {
  if (!isPixKey(code.key)) throw new RangeError('the key is not a Pix key');
  if (code.txid !== undefined && !TXID.test(code.txid)) throw new RangeError('a txid is 1 to 25 letters and digits');
  const account = field('00', GUI) + field('01', code.key);
  const available = Math.min(DESCRIPTION_MAX, TEMPLATE_MAX - account.length - 4);
  const description = brCodeText(code.description ?? '', Math.max(available, 0));
  return assembleCode(account + (description === '' ? '' : field('02', description)), code, code.txid ?? '***');
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

/** Returns the CRC-16/CCITT-FALSE as four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function assembleCode(account: string, merchant: Merchant, txid: string): string {
  const name = brCodeText(merchant.merchantName, NAME_MAX);
  const city = brCodeText(merchant.merchantCity, CITY_MAX);
  if (name === '' || city === '') throw new RangeError('a merchant needs a name and a city');
  const text =
    field('00', '01') +
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

/** What a code says of who is paid: the name, and the key where it names one. A code with an address names none. */
export interface PixReceiver {
  readonly name: string;
  readonly key: string | null;
}

const MAX_CODE_LENGTH = 1_024;
/** The merchant accounts of a code; Pix may be any of them. */
const FIRST_ACCOUNT = 26;
const LAST_ACCOUNT = 51;

/** Returns null for what is no whole code of Pix. */
export function receiverOfCode(code: string): PixReceiver | null {
  if (code.length > MAX_CODE_LENGTH || crc16(code.slice(0, -4)) !== code.slice(-4)) return null;
  const fields = fieldsOf(code);
  const name = fields?.get('59');
  if (fields === null || name === undefined) return null;
  for (const [id, value] of fields) {
    const account = Number(id) >= FIRST_ACCOUNT && Number(id) <= LAST_ACCOUNT ? fieldsOf(value) : null;
    if (account?.get('00')?.toLowerCase() === GUI) return { name, key: account.get('01') ?? null };
  }
  return null;
}

function fieldsOf(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const head = /^(\d{2})(\d{2})$/.exec(text.slice(at, at + 4));
    if (head === null) return null;
    const end = at + 4 + Number(head[2]);
    if (end > text.length) return null;
    fields.set(head[1]!, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'PHONE', 'EVP', 'EMAIL'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

/** Returns null for what is no Pix key. */
export function pixKeyType(key: string): PixKeyType | null {
  const index = key.length <= REFERENCE_MAX ? PIX_KEYS.findIndex((pattern) => pattern.test(key)) : -1;
  return PIX_KEY_TYPES[index] ?? null;
}
