import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { lockDataDir, lockOrJoin, readInstanceNote } from '../../src/platform/runtime/data-dir-lock.ts';
import { createScratch, ROOT } from './support.ts';

const scratch = createScratch();
afterAll(scratch.clean);

const holder = (note = true) =>
  scratch.node(`
    const { lockDataDir } = await import(${JSON.stringify(join(ROOT, 'src/platform/runtime/data-dir-lock.ts'))});
    const lock = lockDataDir(${JSON.stringify(scratch.folder)});
    if (${note}) lock?.publish({ pid: process.pid, url: 'http://localhost:1', databaseUrl: 'postgresql://x' });
    console.log(lock === undefined ? 'refused' : 'locked');
    setInterval(() => {}, 1000);
  `);

describe('the lock of DATA_DIR', () => {
  it('is held by one process, which publishes its address, and is released however the process ends', async () => {
    const first = holder();
    await first.says(/locked/);
    await holder().says(/refused/);
    expect(lockDataDir(scratch.folder)).toBeUndefined();
    expect(readInstanceNote(scratch.folder)).toMatchObject({ pid: first.pid, url: 'http://localhost:1' });
    expect(statSync(join(scratch.folder, 'instance.json')).mode & 0o777).toBe(0o600);
    first.signal('SIGKILL');
    await first.ended;
    const mine = lockDataDir(scratch.folder);
    expect(mine).toBeDefined();
    expect(readInstanceNote(scratch.folder)).toBeUndefined();
    mine?.release();
  });

  it('is taken by one of several concurrent processes', async () => {
    const all = [holder(), holder(), holder(), holder()];
    const answers = await Promise.all(all.map((one) => one.says(/locked|refused/)));
    expect(answers.map(([word]) => word).sort()).toEqual(['locked', 'refused', 'refused', 'refused']);
    for (const one of all) one.signal('SIGKILL');
    await Promise.all(all.map((one) => one.ended));
  });

  it('lets a role join the holder once the holder has published its servers', async () => {
    const silent = holder(false);
    await silent.says(/locked/);
    expect(await lockOrJoin(scratch.folder, 0)).toEqual({ note: undefined });
    const waiting = lockOrJoin(scratch.folder, 20_000);
    silent.signal('SIGKILL');
    const taken = await waiting;
    expect('lock' in taken).toBe(true);
    if ('lock' in taken) {
      taken.lock.publish({ pid: 1 });
      expect(await lockOrJoin(scratch.folder, 20_000)).toEqual({ note: { pid: 1 } });
      taken.lock.release();
    }
  });
});
