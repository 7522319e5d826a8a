import type { App } from './app.ts';
import type { Answer, TestClient } from './campaigns-app.ts';

/** A line of blanks in which fields stand at their first position. */
const lineOf = (length: number, fields: Readonly<Record<number, string>>): string => {
  const line = Array<string>(length).fill(' ');
  for (const [at, text] of Object.entries(fields)) line.splice(Number(at) - 1, text.length, ...text);
  return line.join('');
};

interface Title {
  readonly movement: string;
  readonly title: string;
  readonly centavos: number;
  readonly reasons?: string;
  readonly txid?: string;
  readonly taxId?: string;
}

const CPF = '52998224725';
const pad = (value: number, length: number) => String(value).padStart(length, '0');

/** Writes a return file of FEBRABAN 240 for the titles, which were paid on 2026-11-25. */
export function cnab240(titles: readonly Title[], bank = '001'): string[] {
  const details = titles.flatMap(({ movement, title, centavos, reasons = '', txid, taxId = CPF }) => [
    lineOf(240, {
      ...{ 1: `${bank}00013`, 14: 'T', 16: movement, 38: '12345670000000001', 59: title, 82: pad(centavos, 15) },
      ...{ 133: '1', 134: taxId.padStart(15, '0'), 149: 'JOÃO DA SILVA', 214: reasons },
    }),
    lineOf(240, { 1: `${bank}00013`, 14: 'U', 16: movement, 78: pad(centavos, 15), 138: '25112026', 146: '26112026' }),
    ...(txid === undefined ? [] : [lineOf(240, { 1: `${bank}00013`, 14: 'Y', 18: '03', 159: txid })]),
  ]);
  return [
    lineOf(240, { 1: `${bank}00000`, 143: '2' }),
    lineOf(240, { 1: `${bank}00011T01` }),
    ...details,
    lineOf(240, { 1: `${bank}00015`, 18: pad(details.length + 2, 6) }),
    lineOf(240, { 1: `${bank}99999`, 18: '000001', 24: pad(details.length + 4, 6) }),
  ];
}

/** Writes a return file of 400 positions whose titles are `FAT0`, `FAT1` and so on, or the given ones. */
export function cnab400(
  bank: string,
  occurrences: readonly string[],
  centavos = 12_345,
  titles: readonly string[] = occurrences.map((_, at) => `FAT${at}`),
): string[] {
  const details = occurrences.map((occurrence, at) =>
    lineOf(400, {
      ...{ 1: '1', 63: '12345678', 109: occurrence, 111: '251126', 117: titles[at]!, 153: pad(centavos, 13) },
      ...{ 254: pad(centavos, 13), 267: pad(0, 13), 395: pad(at + 2, 6) },
    }),
  );
  return [
    lineOf(400, { 1: '02RETORNO01COBRANCA', 77: bank, 395: '000001' }),
    ...details,
    lineOf(400, { 1: '9201', 395: pad(details.length + 2, 6) }),
  ];
}

/** A credit of a statement on 2026-11-25. */
export const ofxCredit = (amount: string, memo: string, id = '1') =>
  `<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>20261125000000[-3:BRT]\n<TRNAMT>${amount}\n<FITID>${id}\n<MEMO>${memo}\n</STMTTRN>`;

export const ofx = (...credits: readonly string[]) =>
  `OFXHEADER:100\nDATA:OFXSGML\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKACCTFROM>\n<BANKID>0341\n<ACCTID>1234-5\n</BANKACCTFROM><BANKTRANLIST>${credits.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;

interface PaymentFileOptions {
  readonly checkOnly?: boolean;
  readonly columns?: object | string;
  readonly idempotencyKey?: string;
}

/** Sends a file of payments. */
export async function sendPayments(
  { url }: Pick<App, 'url'>,
  { token }: Pick<TestClient, 'token'>,
  file: string | Uint8Array,
  { checkOnly, columns, idempotencyKey }: PaymentFileOptions = {},
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(file)]), 'file');
  if (columns !== undefined) form.set('columns', typeof columns === 'string' ? columns : JSON.stringify(columns));
  const response = await fetch(`${url}/api/settlements/file${checkOnly === true ? '?checkOnly=true' : ''}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}
