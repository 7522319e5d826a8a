import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { VERIFY_EVIDENCE_TEXTS } from '../../src/modules/evidence/texts/verify-evidence.ts';
import { createEvidenceKeys, type EvidenceKeys } from '../../src/modules/evidence/use-cases/evidence-keys.ts';
import { canonicalJson, type EvidenceKey, verifyPack } from '../../src/modules/evidence/use-cases/verify-pack.ts';
import { streamZip } from '../../src/platform/spreadsheets/stream-zip.ts';
import { EVIDENCE_KEYS } from '../../testing/app.ts';
import { startBrowser } from '../../testing/browser.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { readZip } from '../../testing/read-zip.ts';
import { createScratch, ROOT } from '../startup/support.ts';

type Files = Map<string, Buffer>;

const app = await opened(startCampaignsApp());
const scratch = await opened(createScratch());
const browser = await opened(startBrowser());
const client = await app.newClient();
const campaignId = await client.createCampaign();
await client.importJson(campaignId, [debtInput(1, { description: 'Mensalidade – março' })]);
const [debt] = await app.query<{ id: string }>('select id from debts where campaign_id = $1', [campaignId]);
for (const text of ['Ligou: “R$ 150,75” 😀', 'Promete para sexta.', 'Não pagou.'])
  await client.call('POST', `/api/debts/${debt!.id}/notes`, { text });
const answer = await fetch(`${app.url}/api/debts/${debt!.id}/evidence`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${client.token}` },
});
const genuine: Files = readZip(Buffer.from(await answer.arrayBuffer()));
const published = (await (await fetch(`${app.url}/.well-known/quita-evidence.json`)).json()) as { keys: EvidenceKey[] };

/** The key of this deployment in the hands of a forger within it, and that of another deployment. */
const insider = createEvidenceKeys([
  { from: '1970-01-01', secret: 'first-key-of-evidence-of-the-tests' },
  { from: '2026-01-01', secret: 'second-key-of-evidence-of-the-tests' },
]);
const elsewhere = createEvidenceKeys([{ from: '1970-01-01', secret: 'a-key-of-quite-another-deployment' }]);

const PYTHON = /```python\n(.*?)```/s.exec(readFileSync('docs/evidence.md', 'utf8'))?.[1] ?? '';
const [program, keyFile] = [join(scratch.folder, 'verify.py'), join(scratch.folder, 'keys.json')];
writeFileSync(program, PYTHON);
writeFileSync(keyFile, JSON.stringify(published));

const zipOf = (files: Iterable<readonly [string, Buffer]>): Promise<Buffer> =>
  buffer(
    streamZip(
      Readable.from([...files].map(([path, content]) => ({ path, content: Readable.from([content]), compress: true }))),
    ),
  );

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
// biome-ignore lint/suspicious/noExplicitAny: a forger changes whatever it likes
type Forged = any;
const linesOf = (files: Files): Forged[] =>
  String(files.get('timeline.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Computes the whole chain anew, as somebody with the database and the key could. */
function rechained(lines: readonly Forged[]): Forged[] {
  let previous = '';
  return lines.map((line, place) => {
    const contentHash =
      line.salt === null
        ? line.contentHash
        : sha256(Buffer.concat([Buffer.from(line.salt, 'hex'), Buffer.from(canonicalJson(line.content))]));
    const { at, kind } = line;
    const covered = { seq: place + 1, at, kind, contentHash, previous };
    const hash = sha256(canonicalJson(covered));
    previous = hash;
    return { ...line, ...covered, hash };
  });
}

/** Signs a manifest again that fits the files. */
function signed(files: Files, keys: EvidenceKeys, change: (manifest: Forged) => void = () => {}): Files {
  const manifest = JSON.parse(String(files.get('manifest.json')));
  const signer = keys.signerAt(new Date(manifest.createdAt));
  manifest.keyId = signer.kid;
  for (const name of Object.keys(manifest.files)) {
    const content = files.get(name);
    if (content !== undefined) manifest.files[name] = sha256(content);
  }
  change(manifest);
  const bytes = Buffer.from(JSON.stringify(manifest));
  return new Map([...files, ['manifest.json', bytes], ['manifest.sig', Buffer.from(signer.sign(bytes))]]);
}

const withLines = (lines: readonly Forged[]): Files =>
  new Map([...genuine, ['timeline.jsonl', Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))]]);
const changed = (place: number, change: object): Forged[] =>
  linesOf(genuine).map((line, at) => (at === place ? { ...line, ...change } : line));
const without = (name: string): Files => new Map([...genuine].filter(([one]) => one !== name));
const endOf = (lines: readonly Forged[]) => (manifest: Forged) => {
  manifest.head = { seq: lines.length, hash: lines.at(-1).hash };
};

const lines = linesOf(genuine);
const backdated = rechained(changed(2, { at: '2026-01-01T00:00:00.000Z' }));
const reworded = changed(1, { content: { ...lines[1].content, text: 'Nunca ligou.' } });
const otherKeys = signed(genuine, elsewhere);

const FORGERIES: readonly (readonly [string, Iterable<readonly [string, Buffer]>, readonly string[]])[] = [
  [
    'a file swapped for another',
    new Map([...genuine, ['messages.jsonl', Buffer.from('{}\n')]]),
    ['file_changed messages.jsonl'],
  ],
  ['a file left out', without('resumo.pdf'), ['file_missing resumo.pdf']],
  ['a file added', [...genuine, ['confissao.pdf', Buffer.from('x')]], ['file_added confissao.pdf']],
  ['the key of another deployment', otherKeys, [`unknown_key ${elsewhere.published[0]!.kid}`]],
  [
    'the key of another deployment under the name of ours',
    signed(genuine, elsewhere, (manifest) => {
      manifest.keyId = insider.published[1]!.kid;
    }),
    ['signature_wrong'],
  ],
  [
    'a key that had ended',
    (() => {
      const old = createEvidenceKeys([{ from: '1970-01-01', secret: 'first-key-of-evidence-of-the-tests' }]);
      return signed(genuine, old);
    })(),
    [`key_not_in_force ${insider.published[0]!.kid}`],
  ],
  [
    'a manifest changed after it was signed',
    new Map([
      ...genuine,
      ['manifest.json', Buffer.from(String(genuine.get('manifest.json')).replace('"version": 1', '"version":  1'))],
    ]),
    ['signature_wrong'],
  ],
  ['a truncated tail', withLines(lines.slice(0, -1)), ['file_changed timeline.jsonl', `tail_missing ${lines.length}`]],
  [
    'a truncated tail, signed anew by an insider',
    signed(withLines(lines.slice(0, -1)), insider),
    [`tail_missing ${lines.length}`],
  ],
  [
    'an entry dated back',
    withLines(changed(2, { at: '2026-01-01T00:00:00.000Z' })),
    ['file_changed timeline.jsonl', 'line_changed 3', 'dated_back 3'],
  ],
  [
    'an entry dated back, with the whole chain made anew by an insider',
    signed(withLines(backdated), insider, endOf(backdated)),
    ['dated_back 3'],
  ],
  ['a content reworded, signed anew by an insider', signed(withLines(reworded), insider), ['content_changed 2']],
  [
    'a content taken away without a duty',
    signed(withLines(changed(1, { content: null, salt: null })), insider),
    ['content_missing 2'],
  ],
  [
    'two lines in another order',
    signed(withLines([lines[0], lines[2], lines[1], lines[3]]), insider),
    ['line_out_of_order 2', 'line_out_of_order 3', 'dated_back 3', 'line_out_of_order 4'].filter(
      (code) => code !== 'dated_back 3' || lines[1].at < lines[2].at,
    ),
  ],
  ['one name for two files', [...genuine, ['messages.jsonl', Buffer.from('x')]], ['not_a_pack']],
  ['no manifest', without('manifest.json'), ['not_a_pack']],
];

async function byPython(pack: Buffer) {
  const file = join(scratch.folder, `${sha256(pack)}.zip`);
  writeFileSync(file, pack);
  const started = scratch.run('python3', [program, file, keyFile], {});
  const code = await started.ended;
  return { code, output: started.output(), file };
}

async function byCommand(file: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'evidence', 'verify', file, ...args], {
    DATA_DIR: scratch.folder,
    ...env,
  });
  const code = await started.ended;
  return { code, output: started.output() };
}

const codesOf = async (pack: Buffer): Promise<string[]> =>
  (await verifyPack(new Uint8Array(pack), published.keys)).problems.map(({ code, where }) =>
    where === undefined ? code : `${code} ${where}`,
  );

describe('a genuine pack', () => {
  it('holds for the verifier, for the command with the keys of its deployment, and for a foreign reader in Python', async () => {
    const pack = await zipOf(genuine);
    expect(await codesOf(pack)).toEqual([]);
    const { code, output, file } = await byPython(pack);
    expect([code, output]).toEqual([0, expect.stringContaining(`WHOLE: debt ${debt!.id}, ${lines.length} lines`)]);
    expect(await byCommand(file, [], { EVIDENCE_KEYS })).toEqual({ code: 0, output: expect.stringContaining('WHOLE') });
    expect(await byCommand(file, ['--keys', keyFile])).toEqual({ code: 0, output: expect.stringContaining('WHOLE') });
    const strangers = { EVIDENCE_KEYS: 'a-key-of-quite-another-deployment' };
    expect(await byCommand(file, [], strangers)).toEqual({ code: 1, output: expect.stringContaining('unknown_key') });
  }, 60_000);

  it('is checked in Python by fewer than 200 lines', () => {
    expect(PYTHON.split('\n').length).toBeLessThan(200);
    expect(PYTHON).toContain('RFC 8032');
  });
});

it.each(FORGERIES)(
  '%s is refused with its reason by both readings',
  async (_, files, codes) => {
    const pack = await zipOf(files);
    expect(await codesOf(pack)).toEqual(codes);
    const { code, output } = await byPython(pack);
    expect([code, output.trim().split(/\n\s*/)]).toEqual([1, ['REFUSED', ...codes]]);
  },
  60_000,
);

/** What an outsider can do with a file, and what only somebody with the database and the key can do. */
const NAMED = [
  'a content reworded, signed anew by an insider',
  'a file swapped for another',
  'the key of another deployment',
  'a truncated tail',
  'an entry dated back, with the whole chain made anew by an insider',
];

it('the command and the page in the browser refuse each of them with its reasons too', async () => {
  const page = await browser.newPage();
  await page.goto(`${app.url}/verify-evidence`);
  const seen: string[] = [];
  for (const name of NAMED) {
    const [, files, codes] = FORGERIES.find(([one]) => one === name)!;
    const pack = await zipOf(files);
    const file = join(scratch.folder, `${sha256(pack)}.zip`);
    writeFileSync(file, pack);
    const { code, output } = await byCommand(file, ['--keys', keyFile]);
    expect([name, code, output.match(/^ {2}[a-z_]+(?=[ :])/gm)?.map((one) => one.trim())]).toEqual([
      name,
      1,
      codes.map((one) => one.split(' ')[0]),
    ]);
    // The page is loaded anew, so that it cannot show what it said of the pack before.
    await page.reload();
    await page.getByLabel(VERIFY_EVIDENCE_TEXTS.choose).setInputFiles(file);
    await page.getByRole('listitem').first().waitFor();
    const reasons = await page.getByRole('listitem').allTextContents();
    expect([name, reasons.length]).toEqual([name, codes.length]);
    seen.push(reasons.join('\n'));
  }
  expect(new Set(seen).size).toBe(NAMED.length);
  await page.close();
}, 180_000);

/** Puts a file before the others that only a program sees which reads from the beginning. */
function withHidden(pack: Buffer, name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  const hidden = Buffer.concat([header, Buffer.from(name), content]);
  const moved = Buffer.from(pack);
  const end = moved.length - 22;
  const list = moved.readUInt32LE(end + 16);
  moved.writeUInt32LE(list + hidden.length, end + 16);
  for (let at = list; at < end; ) {
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + hidden.length, at + 42);
    at += 46 + moved.readUInt16LE(at + 28) + moved.readUInt16LE(at + 30) + moved.readUInt16LE(at + 32);
  }
  return Buffer.concat([hidden, moved]);
}

it('a file that is not in the list of files makes it no pack, for both readings', async () => {
  const pack = withHidden(await zipOf(genuine), 'confissao.pdf', Buffer.from('Devo.'));
  // Any other reader of the list finds the genuine files.
  expect([...readZip(pack).keys()]).toEqual([...genuine.keys()]);
  expect(await codesOf(pack)).toEqual(['not_a_pack']);
  const { code, output } = await byPython(pack);
  expect([code, output]).toEqual([1, expect.stringContaining('not_a_pack')]);
}, 60_000);

it('what is no archive is no pack, for all of them', async () => {
  const pack = Buffer.from('PK\u0003\u0004 nothing');
  expect(await codesOf(pack)).toEqual(['not_a_pack']);
  const { code, output, file } = await byPython(pack);
  expect([code, output]).toEqual([1, expect.stringContaining('not_a_pack')]);
  expect(await byCommand(file, ['--keys', keyFile])).toEqual({
    code: 1,
    output: expect.stringContaining('not_a_pack'),
  });
}, 60_000);
