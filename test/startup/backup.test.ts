import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lockDataDir } from '../../src/platform/runtime/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { ask } from '../../testing/database.ts';
import { createScratch, processesWith } from './support.ts';

const scratch = createScratch();
const dataDir = join(scratch.folder, 'data');
const target = join(scratch.folder, 'target');
const archive = join(scratch.folder, 'backup.tar.gz');

async function quitaOn(folder: string, ...args: string[]): Promise<{ code: number | string; output: string }> {
  const started = scratch.run(process.execPath, ['src/cli.ts', ...args], { DATA_DIR: folder });
  const code = await started.ended;
  return { code, output: started.output() };
}

const quita = (...args: string[]) => quitaOn(dataDir, ...args);

/** The names and contents of everything below a folder but the file of its lock, so that a change shows. */
const stateOf = (folder: string): string => {
  const hash = createHash('sha256');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths.filter((name) => name !== 'lock')) {
    const full = join(folder, path);
    hash.update(`${path}\n`).update(statSync(full).isFile() ? readFileSync(full) : '');
  }
  return hash.digest('hex');
};

const beside = (): string[] => readdirSync(scratch.folder).sort();

/** The archive with its manifest changed. */
const changedManifest = (change: (manifest: Record<string, unknown>) => object): Buffer => {
  const folder = join(scratch.folder, 'unpacked');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const manifest = join(folder, 'quita-backup.json');
  writeFileSync(manifest, JSON.stringify(change(JSON.parse(readFileSync(manifest, 'utf8')))));
  const names = ['quita-backup.json', 'data', 'checksums.json'];
  const result = execFileSync('tar', ['--format=ustar', '-cz', '-C', folder, ...names], { maxBuffer: 1 << 28 });
  rmSync(folder, { recursive: true });
  return result;
};

beforeAll(async () => {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => {} });
  await ask(server.url, 'create table kept (number int)');
  await ask(server.url, 'insert into kept select generate_series(1, 1000)');
  await server.stop();
  mkdirSync(join(dataDir, 'secrets'));
  writeFileSync(join(dataDir, 'secrets', 'RECEIPT_SECRET'), 'a-secret\n');
  expect(await quita('backup', archive)).toMatchObject({ code: 0 });
});
afterAll(scratch.clean);

describe('quita backup', () => {
  it('writes one file that only its owner can read, which says what it is', () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    expect(listed[0]).toBe('quita-backup.json');
    expect(listed.at(-1)).toBe('checksums.json');
    expect(listed).toEqual(
      expect.arrayContaining(['data/secrets/RECEIPT_SECRET', 'data/postgres.password', 'data/postgres/PG_VERSION']),
    );
    expect(processesWith(dataDir)).toEqual([]);
  });

  it('replaces no file, keeps to a number of files in a folder, and leaves nothing half written', async () => {
    const before = readFileSync(archive);
    expect(await quita('backup', archive)).toEqual({
      code: 1,
      output: `${archive} exists: choose another name, or replace it with --force\n`,
    });
    // jest would compare the megabytes one by one, which takes 15 seconds.
    expect(readFileSync(archive).equals(before)).toBe(true);
    const folder = join(scratch.folder, 'backups');
    mkdirSync(folder);
    for (const name of ['quita-20250101T000000Z.tar.gz', 'quita-20250102T000000Z.tar.gz', 'another.tar.gz']) {
      writeFileSync(join(folder, name), '');
    }
    expect(await quita('backup', folder, '--keep', '2')).toMatchObject({ code: 0 });
    const [another, first, second, ...more] = readdirSync(folder).sort();
    expect([another, first, more]).toEqual(['another.tar.gz', 'quita-20250102T000000Z.tar.gz', []]);
    expect(second).toMatch(/^quita-20\d{6}T\d{6}Z\.tar\.gz$/);
    rmSync(folder, { recursive: true });
  });

  it('refuses servers that are not embedded, and arguments that it does not know', async () => {
    const own = scratch.run(process.execPath, ['src/cli.ts', 'backup', join(scratch.folder, 'x')], {
      DATABASE_URL: 'postgresql://somebody@127.0.0.1:1/quita',
    });
    expect(await own.ended).toBe(1);
    expect(own.output()).toMatch(/^DATABASE_URL name servers of your own.*docs\/runbook\.md.*\n$/);
    for (const args of [
      ['a', 'b'],
      ['x', '--keep', '3'],
      ['x', '--unknown'],
    ]) {
      const { code, output } = await quita('backup', ...args);
      expect([args, code, output.startsWith('Usage:')]).toEqual([args, 1, true]);
    }
  });
});

describe('quita restore', () => {
  it('gives back the data and the secrets, and keeps what was there', async () => {
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), 'kept');
    const { code, output } = await quita('restore', archive, '--data-dir', target, '--force');
    expect([code, output]).toEqual([0, expect.stringContaining(`Restored into ${target}`)]);
    expect(readFileSync(join(target, 'secrets', 'RECEIPT_SECRET'), 'utf8')).toBe('a-secret\n');
    expect(statSync(join(target, 'secrets', 'RECEIPT_SECRET')).mode & 0o777).toBe(0o600);
    const [former = ''] = beside().filter((name) => name.startsWith('target.before-restore-'));
    expect(readdirSync(join(scratch.folder, former))).toEqual(['mine']);
    const server = await startEmbeddedPostgres({ dataDir: target, durable: false, log: () => {} });
    try {
      expect(await ask(server.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
    } finally {
      await server.stop();
    }
    expect(beside().filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('restores into the DATA_DIR of a new machine, which nothing has used', async () => {
    const fresh = join(scratch.folder, 'fresh');
    const { code, output } = await quitaOn(fresh, 'restore', archive);
    expect([code, output]).toEqual([0, expect.stringContaining(`Restored into ${fresh}`)]);
    expect(readdirSync(join(fresh, 'secrets'))).toEqual(['RECEIPT_SECRET']);
    rmSync(fresh, { recursive: true });
  });

  describe('changes nothing', () => {
    let before: string;
    let names: string[];
    beforeAll(() => {
      before = stateOf(target);
      names = beside();
    });
    const refused = async (...args: string[]): Promise<string> => {
      const { code, output } = await quita('restore', ...args, '--data-dir', target);
      expect(code).toBe(1);
      expect(stateOf(target)).toBe(before);
      return output;
    };
    const withFile = async (name: string, content: Buffer | string): Promise<string> => {
      const file = join(scratch.folder, name);
      writeFileSync(file, content);
      try {
        return await refused(file, '--force');
      } finally {
        rmSync(file);
        expect(beside()).toEqual(names);
      }
    };

    it('when the folder is not empty', async () => {
      expect(await refused(archive)).toMatch(/is not empty: name another folder with --data-dir/);
    });

    it('when Quita runs on the folder', async () => {
      const lock = lockDataDir(target);
      try {
        const { code, output } = await quita('restore', archive, '--data-dir', target, '--force');
        expect([code, output]).toEqual([1, `Quita runs on ${target}: stop it first\n`]);
      } finally {
        lock?.release();
      }
      expect(stateOf(target)).toBe(before);
    });

    it('when the archive is cut off, or a newer version has made it', async () => {
      const whole = readFileSync(archive);
      const cut = await withFile('cut', whole.subarray(0, whole.length - 1000));
      expect(cut).toMatch(/^The archive is damaged or incomplete/);
      const migrations = ['Migration20991231000000_later'];
      const newer = await withFile(
        'newer',
        changedManifest((manifest) => ({ ...manifest, migrations })),
      );
      expect(newer).toMatch(/^The backup was made by a newer version of Quita/);
    });

    it('when the arguments are not understood', async () => {
      for (const args of [[], [archive, '--stopped-at', 'yesterday']]) {
        const { code, output } = await quita('restore', ...args);
        expect([args, code, output.startsWith('Usage:')]).toEqual([args, 1, true]);
      }
      expect(await refused(archive, '--force', '--stopped-at', '2099-01-01T00:00:00Z')).toBe(
        '--stopped-at is in the future\n',
      );
    });
  });
});

/** Only root may mount, so this runs in containers and in most CI systems. */
const small = join(scratch.folder, 'small');
const mounted = (() => {
  try {
    mkdirSync(small, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', small], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

(mounted ? describe : describe.skip)('a full disk', () => {
  afterAll(() => {
    execFileSync('umount', [small]);
  });

  it('fails both commands with one line, and leaves nothing', async () => {
    expect(await quita('backup', small)).toEqual({ code: 1, output: 'The disk is full: nothing was written\n' });
    expect(readdirSync(small)).toEqual([]);
    expect(await quita('restore', archive, '--data-dir', join(small, 'data'))).toEqual({
      code: 1,
      output: 'The backup cannot be unpacked (ENOSPC): nothing was changed\n',
    });
    expect(readdirSync(small)).toEqual([]);
    expect(existsSync(archive)).toBe(true);
  });
});
