import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { prepareDataDir } from './data-dir.ts';
import { keptSecret } from './secrets.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'quita-secrets-'));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('kept secrets', () => {
  it('creates a long secret once, a different one for each name and installation', () => {
    const [one, two] = [folder(), folder()];
    const first = keptSecret(one, 'JWT_SECRET');
    expect(Buffer.from(first, 'base64url')).toHaveLength(32);
    expect(keptSecret(one, 'JWT_SECRET')).toBe(first);
    expect(keptSecret(one, 'RECEIPT_SECRET')).not.toBe(first);
    expect(keptSecret(two, 'JWT_SECRET')).not.toBe(first);
    expect(readdirSync(join(one, 'secrets')).sort()).toEqual(['JWT_SECRET', 'RECEIPT_SECRET']);
  });

  it('lets only the owner read them, also after a copy with wider permissions', () => {
    const dataDir = folder();
    keptSecret(dataDir, 'JWT_SECRET');
    const file = join(dataDir, 'secrets', 'JWT_SECRET');
    expect([modeOf(join(dataDir, 'secrets')), modeOf(file)]).toEqual(['700', '600']);
    chmodSync(file, 0o644);
    keptSecret(dataDir, 'JWT_SECRET');
    expect(modeOf(file)).toBe('600');
  });

  it('refuses an empty secret instead of signing with it', () => {
    const dataDir = folder();
    keptSecret(dataDir, 'JWT_SECRET');
    writeFileSync(join(dataDir, 'secrets', 'JWT_SECRET'), '\n');
    expect(() => keptSecret(dataDir, 'JWT_SECRET')).toThrow(/is empty/);
  });
});

describe('DATA_DIR', () => {
  it('is created for its owner only', () => {
    const dataDir = join(folder(), 'a', 'b');
    expect(prepareDataDir(dataDir)).toBe(dataDir);
    expect(modeOf(dataDir)).toBe('700');
  });

  it('is named in a one-line error when it cannot be written', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(() => prepareDataDir(join(file, 'data'))).toThrow(
      /^DATA_DIR .*file\/data cannot be written \(ENOTDIR\)[^\n]*$/,
    );
  });
});
