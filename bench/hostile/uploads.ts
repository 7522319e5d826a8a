import { setTimeout as sleep } from 'node:timers/promises';
import { rawRow, workbookEntries, type ZipEntry, zip } from '../../testing/workbook.ts';
import { signUp } from './account.ts';
import type { Input } from './input.ts';
import { outcomeOf } from './source.ts';

const MIB = 1024 * 1024;
const KIB = 1024;
const BOUNDARY = 'hostile';
/** A client may import thirty times a minute. */
const IMPORT_EVERY_MS = 2_000;
const SLOW_BYTE_MS = 5_000;
const SLOW_BYTES = 12;

const part = (head: string, content: Uint8Array | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
const file = (content: Uint8Array | string, name = 'debts.csv'): Buffer =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"`, content);

/** Sends these bodies in turn to one of the routes of imports. */
const uploads = (
  name: string,
  finding: number,
  format: 'csv' | 'file',
  bodies: () => readonly Buffer[],
  atOnce = 1,
): Input => ({
  name,
  finding,
  async prepare(source) {
    const account = await signUp(source);
    const path = `/api/import/${format}/${await account.newCampaign()}`;
    const all = bodies();
    const headers = { ...account.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    return {
      everyMs: IMPORT_EVERY_MS * atOnce,
      atOnce,
      strike: (n) => outcomeOf(source.send({ method: 'POST', path, headers, body: all[n % all.length]! })),
    };
  },
});

const encoded = (encoding: string): Buffer =>
  part(`Content-Disposition: form-data; name="columns"\r\nContent-Transfer-Encoding: ${encoding}`, '{}');

const book = (data: string, ...parts: readonly ZipEntry[]): Buffer => {
  const own = workbookEntries([{ name: 'A', data: rawRow(1, ['Nome', 'Valor']) + data }]);
  return file(zip([...own.filter(({ name }) => parts.every((one) => one.name !== name)), ...parts]), 'debts.xlsx');
};
const cell = (inner: string): string => `<row r="2"><c r="A2"${inner}</c></row>`;

const WORKBOOKS = (): readonly Buffer[] => [
  book('<row r="99999999999"><c r="ZZZZZZ99999999999"><v>1</v></c></row>'),
  book(' '.repeat(250 * MIB)),
  book('', {
    name: 'xl/styles.xml',
    content: `<styleSheet><cellXfs>${'<xf/>'.repeat(4_000_000)}</cellXfs></styleSheet>`,
  }),
  book(cell(` t="inlineStr"><is><t>${'&amp;'.repeat(6 * MIB)}</t></is>`)),
  book(cell(` x="${'y'.repeat(30 * MIB)}"><v>1</v>`)),
  book('<'.repeat(30 * MIB)),
  book(cell(`>${Array.from({ length: 300_000 }, (_, n) => ` a${n}="1"`).join('')}`)),
];

/** Two bodies of which a byte comes every few seconds, to keep the places of all imports. */
const slowUploads: Input = {
  name: 'slow uploads',
  finding: 10,
  async prepare(source) {
    const account = await signUp(source);
    const path = `/api/import/csv/${await account.newCampaign()}`;
    return {
      everyMs: 2 * IMPORT_EVERY_MS,
      atOnce: 2,
      strike: async () => {
        const socket = source.open();
        let answer = '';
        let ended = false;
        socket.on('data', (bytes: Buffer) => {
          answer += bytes.toString('latin1');
        });
        socket.on('error', () => undefined);
        socket.on('close', () => {
          ended = true;
        });
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: ${source.host}\r\nAuthorization: ${account.headers['authorization']}\r\n` +
            `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${MIB}\r\n\r\n`,
        );
        for (let sent = 0; sent < SLOW_BYTES && !ended && answer === ''; sent += 1) {
          socket.write('-');
          await sleep(SLOW_BYTE_MS);
        }
        socket.destroy();
        return /^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 'no answer';
      },
    };
  },
};

export const UPLOADS: readonly Input[] = [
  uploads('encodings of parts', 1, 'file', () => ['7bit', '8bit', 'base64', 'x'.repeat(20 * KIB)].map(encoded)),
  uploads('a header without end', 1, 'file', () => [part(`X-Long: ${'x'.repeat(31 * MIB)}`, '')]),
  uploads('carriage returns', 2, 'csv', () =>
    [256 * KIB, 2 * MIB, 31 * MIB].map((size) => file(Buffer.alloc(size, '\r'))),
  ),
  uploads('names of files', 3, 'csv', () =>
    [100, 300].map((kib) =>
      part(
        `Content-Disposition: form-data; name="file"; ${'filename="a"'.repeat(Math.floor((kib * KIB) / 12))}`,
        'nome',
      ),
    ),
  ),
  uploads('workbooks', 6, 'file', WORKBOOKS, 2),
  slowUploads,
  uploads('blank lines and quotes', 12, 'csv', () =>
    [Buffer.alloc(30 * MIB, '\n'), Buffer.alloc(8 * MIB, '"'), `"${'x'.repeat(8 * MIB)}`, 'a"'.repeat(4 * MIB)].map(
      (content) => file(content),
    ),
  ),
];
