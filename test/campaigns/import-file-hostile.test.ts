import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type FileOptions, sendFile, startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { type RawSheet, rawRow, workbookEntries, writeWorkbook, zip } from '../../testing/workbook.ts';

const HEADER = ['Nome', 'Telefone', 'CPF', 'Valor', 'Vencimento'];
const GOOD = ['Ana Souza', '11987654321', cpfOf(300_000_001), '10,00', '20/11/2026'];
const MIB = 1024 * 1024;
const sheet = (data: string): RawSheet => ({ name: 'A', data: rawRow(1, HEADER) + data });

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const campaignId: string = await client.createCampaign();

describe('file import of hostile files', () => {
  const importFile = (id: string, file: string | Uint8Array, options?: FileOptions) =>
    sendFile(app, client, id, file, options);

  const check = (file: Uint8Array) => importFile(campaignId, file, { checkOnly: true });
  const codeOf = async (file: Uint8Array) => {
    const { status, body } = await check(file);
    return [status, body.errors?.[0]?.pointer, body.errors?.[0]?.code];
  };
  const [good] = workbookEntries([sheet(rawRow(2, GOOD))]);
  const entries = () => workbookEntries([sheet(rawRow(2, GOOD))]);

  it('refuses an archive that is too large, unpacks to more than it says, or is encrypted', async () => {
    expect((await check(zip(entries()))).body).toMatchObject({ imported: 1 });
    const zeros = Buffer.alloc(20 * MIB);
    const bomb = (declaredSize: number) =>
      zip([...entries(), { name: 'xl/sharedStrings.xml', content: zeros, declaredSize }]);
    expect(await codeOf(bomb(257 * MIB))).toEqual([400, '/file', 'too_long']);
    expect(await codeOf(bomb(1_000))).toEqual([400, '/file', 'invalid_format']);
    expect(await codeOf(bomb(21 * MIB))).toEqual([400, '/file', 'invalid_format']);
    expect(await codeOf(zip([...entries(), { name: 'x', content: '', flags: 1 }]))).toEqual([
      400,
      '/file',
      'unsupported_format',
    ]);
    const many = Array.from({ length: 1_000 }, (_, n) => ({ name: `x${n}`, content: '' }));
    expect(await codeOf(zip([...entries(), ...many]))).toEqual([400, '/file', 'too_long']);
    expect(await codeOf(zip([...entries(), good!]))).toEqual([400, '/file', 'invalid_format']);
  });

  it('refuses a small workbook with far more cells or texts than fit into memory', async () => {
    const farRow = '<row r="900000000"><c r="A900000000"><v>1</v></c></row>';
    expect(await codeOf(zip(workbookEntries([sheet(farRow)])))).toEqual([400, '/file', 'too_long']);
    // 3,000 cells of the same 30,000 characters.
    const long = `<c t="str"><f/><v>${'x'.repeat(30_000)}</v></c>`;
    const texts = Array.from(
      { length: 2_000 },
      (_, n) => `<row r="${n + 2}">${long.replace('<c', `<c r="A${n + 2}"`)}</row>`,
    );
    expect(await codeOf(zip(workbookEntries([sheet(texts.join(''))])))).toEqual([400, '/file', 'too_long']);
  });

  it('expands no entity', async () => {
    const entities = `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(100)}">]>`;
    const [workbook, ...rest] = workbookEntries([
      sheet(rawRow(2, ['&x;', ...GOOD.slice(1)]).replaceAll('&amp;x;', '&x;')),
    ]);
    const content = rest.map((entry) => ({ ...entry, content: String(entry.content).replace('?>', `?>${entities}`) }));
    const { status, body } = await check(zip([workbook!, ...content]));
    expect(status === 400 || body.columns[0].samples[0] === '&x;').toBe(true);
  });

  it('answers any bytes and any changed workbook with 200 or 400', async () => {
    const real = await writeWorkbook({ A: [HEADER, GOOD, GOOD] });
    const xml = entries();
    const changed = fc
      .array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
      .map((changes) => {
        const bytes = Buffer.from(real);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    const cutShort = fc.nat(real.length - 1).map((length) => real.subarray(0, length));
    const changedXml = fc
      .tuple(
        fc.nat(xml.length - 1),
        fc.nat(2_000),
        fc.string({ unit: fc.constantFrom(...'<>/"=&c r1A\0é'), maxLength: 8 }),
      )
      .map(([file, at, text]) =>
        zip(
          xml.map((entry, index) => {
            const content = String(entry.content);
            const place = at % content.length;
            return index === file
              ? { ...entry, content: content.slice(0, place) + text + content.slice(place + text.length) }
              : entry;
          }),
        ),
      );
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const pretended = random.map((bytes) => Buffer.concat([Buffer.from('PK\x03\x04'), bytes]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, cutShort, changedXml, random, pretended), async (file) => {
        expect([200, 400]).toContain((await check(file)).status);
      }),
      { numRuns: 40 },
    );
    expect(app.logText()).not.toMatch(/Ana Souza/);
  });
});
