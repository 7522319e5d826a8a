import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Manifest } from './manifest.ts';
import { extractArchive } from './read-archive.ts';
import { writeArchive } from './write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'quita-archive-'));
const archive = join(folder, 'backup.tar.gz');
const manifest: Manifest = {
  format: 1,
  version: '0.1.0',
  temporalAt: '2026-11-23T03:00:00.000Z',
  takenAt: '2026-11-23T03:00:01.000Z',
  migrations: ['Migration1'],
  secretsElsewhere: [],
};
/** Longer than a block and no multiple of one. */
const TABLE = Buffer.alloc(70_001, 'page');
let runs = 0;

async function write(target: string, given: object = {}, { replace = false } = {}): Promise<number> {
  const cluster = join(folder, 'cluster');
  const tar = execFileSync('tar', ['--format=ustar', '-C', cluster, '-cf', '-', ...readdirSync(cluster)]);
  const content = {
    manifest: { ...manifest, ...given } as Manifest,
    files: [{ path: 'secrets/ONE', from: join(folder, 'secret') }],
    postgres: Readable.from([tar]),
  };
  return writeArchive(target, `${target}.partial`, content, { replace });
}

async function extract(file: string, accept: (read: Manifest) => void = () => {}): Promise<string> {
  runs += 1;
  const into = join(folder, `into-${runs}`);
  mkdirSync(into);
  await extractArchive(file, into, accept);
  return into;
}

/** The archive with its tar file changed. */
function changed(change: (tar: Buffer) => Buffer): string {
  const file = join(folder, 'changed.tar.gz');
  writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(archive))), { level: 1 }));
  return file;
}

beforeAll(async () => {
  writeFileSync(join(folder, 'secret'), 'a-secret\n');
  mkdirSync(join(folder, 'cluster', 'base', '1'), { recursive: true });
  mkdirSync(join(folder, 'cluster', 'empty'));
  mkdirSync(join(folder, 'cluster', 'global'));
  writeFileSync(join(folder, 'cluster', 'global', 'pg_control'), 'control');
  writeFileSync(join(folder, 'cluster', 'base', '1', '112'), TABLE);
  await write(archive);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('an archive', () => {
  it('gives back every file and folder, for its owner only', async () => {
    const into = await extract(archive);
    expect(readFileSync(join(into, 'secrets', 'ONE'), 'utf8')).toBe('a-secret\n');
    expect(readFileSync(join(into, 'postgres', 'base', '1', '112'))).toEqual(TABLE);
    expect(readdirSync(join(into, 'postgres', 'empty'))).toEqual([]);
    expect(statSync(join(into, 'secrets', 'ONE')).mode & 0o777).toBe(0o600);
    expect(statSync(join(into, 'postgres', 'base')).mode & 0o777).toBe(0o700);
  });

  it('never replaces a file unless it is told to, and a failure leaves nothing', async () => {
    const before = readFileSync(archive);
    await expect(write(archive)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(archive)).toEqual(before);
    const copy = join(folder, 'copy.tar.gz');
    writeFileSync(copy, 'older');
    expect(await write(copy, {}, { replace: true })).toBe(statSync(copy).size);
    await expect(write(join(folder, 'missing', 'file'))).rejects.toMatchObject({ code: 'ENOENT' });
    // PostgreSQL ended in the middle of its copy.
    const cut = { manifest, files: [], postgres: Readable.from([]) };
    const whole = join(folder, 'whole.tar.gz');
    await expect(writeArchive(whole, `${whole}.partial`, cut, { replace: false })).rejects.toThrow('all of its files');
    expect(readdirSync(folder).filter((name) => /partial|whole/.test(name))).toEqual([]);
  });
});

describe('an archive is refused', () => {
  it.each([
    ['that is something else', () => Buffer.from('not an archive')],
    ['that is cut off', () => readFileSync(archive).subarray(0, -100)],
  ])('%s', async (_, content) => {
    const file = join(folder, 'wrong.tar.gz');
    writeFileSync(file, content());
    await expect(extract(file)).rejects.toThrow('The archive is damaged or incomplete');
  });

  it('whose contents are not those of its checksums', async () => {
    const file = changed((tar) => {
      tar.write('A', tar.lastIndexOf('a-secret'));
      return tar;
    });
    await expect(extract(file)).rejects.toThrow('the checksum of data/secrets/ONE differs');
  });

  it('that lacks its last files, wherever it was cut', async () => {
    const { length } = gunzipSync(readFileSync(archive));
    for (const kept of [0, 512, length - 1_024 - 512, length - 70_000]) {
      await expect(extract(changed((tar) => tar.subarray(0, kept)))).rejects.toThrow('damaged or incomplete');
    }
  });

  it('that leads out of the folder, links, or holds what it does not list', async () => {
    const build = join(folder, 'build');
    mkdirSync(join(build, 'data'), { recursive: true });
    writeFileSync(join(build, 'quita-backup.json'), JSON.stringify(manifest));
    writeFileSync(join(build, 'checksums.json'), '{}');
    writeFileSync(join(build, 'data', 'x'), 'x');
    execFileSync('ln', ['-s', '/etc/passwd', join(build, 'data', 'link')]);
    const pack = (name: string, ...rest: string[]) => {
      const file = join(folder, 'hostile.tar.gz');
      execFileSync('tar', [
        '--format=ustar',
        '-czPf',
        file,
        '-C',
        build,
        'quita-backup.json',
        ...rest,
        name,
        'checksums.json',
      ]);
      return file;
    };
    await expect(extract(pack('data/x', '--transform=s,^data/x,data/../../x,'))).rejects.toThrow(
      'it contains "data/../../x"',
    );
    await expect(extract(pack('data/x', '--transform=s,^data/x,/tmp/x,'))).rejects.toThrow('it contains "/tmp/x"');
    await expect(extract(pack('data/link'))).rejects.toThrow('data/link is a SymbolicLink');
    await expect(extract(pack('data/x'))).rejects.toThrow('it contains files that it does not list');
  });

  it('of a newer format, or that its reader does not accept, before anything of it is stored', async () => {
    const newer = join(folder, 'newer.tar.gz');
    await write(newer, { format: 2 });
    await expect(extract(newer)).rejects.toThrow('newer version of Quita (format 2)');
    await expect(
      extract(archive, ({ version }) => {
        throw new Error(`not ${version}`);
      }),
    ).rejects.toThrow('not 0.1.0');
    expect(readdirSync(join(folder, `into-${runs}`))).toEqual([]);
  });
});
