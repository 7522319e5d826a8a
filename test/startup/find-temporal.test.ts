import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findTemporal } from '../../src/runtime/find-temporal.ts';
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

const temporal = (place: string, server = '1.29.1') =>
  program(place, 'temporal', `echo "temporal version 1.5.1 (Server ${server}, UI 2.42.1)"`);

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

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quita-find-'));
  cacheDir = join(folder, 'cache');
  lines = [];
});
afterEach(() => {
  host?.close();
});

describe('roads to the Temporal server', () => {
  it('takes the one on the PATH before anything else', async () => {
    temporal(cacheDir);
    const file = temporal(join(folder, 'bin'));
    const path = `${join(folder, 'empty')}:${join(folder, 'bin')}`;
    expect(await findTemporal({ log, path, cacheDir, downloadBase: NOWHERE })).toBe(file);
  });

  it('passes over one on the PATH that is too old, or does not run', async () => {
    const cached = temporal(cacheDir);
    temporal(join(folder, 'old'), '1.20.0');
    program(join(folder, 'broken'), 'temporal', 'exit 3');
    for (const name of ['old', 'broken']) {
      expect(await findTemporal({ log, path: join(folder, name), cacheDir, downloadBase: NOWHERE })).toBe(cached);
    }
    expect(lines.map((line) => /server (\S+)\)/.exec(line)?.[1])).toEqual(['1.20.0', 'unknown']);
  });

  it("downloads the vendor's archive for this platform, and finds it in the cache the next time", async () => {
    temporal(join(folder, 'packed'));
    const archive = join(folder, 'archive.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', join(folder, 'packed'), 'temporal']);
    const asked: string[] = [];
    const downloadBase = await serve((url) => {
      asked.push(url);
      return readFileSync(archive);
    });
    const found = await findTemporal({ log, path: '', cacheDir, downloadBase });
    expect(found).toBe(join(cacheDir, 'temporal'));
    expect(asked).toEqual([expect.stringMatching(/^\/cli\/archive\/v1\.5\.1\?platform=\w+&arch=\w+$/)]);
    expect(await findTemporal({ log, path: '', cacheDir, downloadBase: NOWHERE })).toBe(found);
    expect(readdirSync(cacheDir)).toEqual(['temporal']);
    expect(lines).toHaveLength(1);
  });

  it('builds with Go where the download does not work, saying so', async () => {
    const source = temporal(join(folder, 'source'));
    const bin = join(folder, 'bin');
    program(bin, 'go', `echo "$@" > ${join(folder, 'asked')}; cp ${source} "$GOBIN/temporal"`);
    const found = await findTemporal({ log, path: `${bin}:/bin:/usr/bin`, cacheDir, downloadBase: NOWHERE });
    expect(found).toBe(join(cacheDir, 'temporal'));
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('install github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
    expect(lines).toEqual([
      expect.stringContaining('downloading version 1.5.1 from 127.0.0.1:9'),
      'Temporal: download: 127.0.0.1:9 is not reachable',
      expect.stringContaining('building version 1.5.1 with Go'),
      expect.stringMatching(/built in \d+ s/),
    ]);
  });

  it('leaves nothing half made, and says in one line what to install when no road is open', async () => {
    const bin = join(folder, 'bin');
    program(bin, 'go', 'echo partial > "$GOBIN/temporal"; echo "module not found" >&2; exit 1');
    const downloadBase = await serve(() => undefined);
    const search = findTemporal({ log, path: `${bin}:/bin:/usr/bin`, cacheDir, downloadBase });
    await expect(search).rejects.toThrow(/^No Temporal server: install the Temporal CLI [^\n]* or Go [^\n]*$/);
    expect(lines.some((line) => line.includes('answered 404'))).toBe(true);
    expect(lines.at(-1)).toBe('Temporal: go install: module not found');
    expect(existsSync(join(cacheDir, 'temporal'))).toBe(false);
    expect(readdirSync(cacheDir)).toEqual([]);
  });

  it('does not trust an archive whose program does not run here', async () => {
    program(join(folder, 'packed'), 'temporal', 'exit 126');
    const archive = join(folder, 'archive.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', join(folder, 'packed'), 'temporal']);
    const bin = join(folder, 'bin');
    program(bin, 'go', 'exit 1');
    const downloadBase = await serve(() => readFileSync(archive));
    const search = findTemporal({ log, path: `${bin}:/bin:/usr/bin`, cacheDir, downloadBase });
    await expect(search).rejects.toThrow(/No Temporal server/);
    expect(lines).toContain('Temporal: download: what came does not run here');
  });
});
