import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MIX } from './mix.ts';
import { type LoadSeen, runLoad } from './run-load.ts';

const SECONDS = 12;
const RATE = 20;
const TIMEOUT = 240_000;
/** Calls that leave a file open each would leave 240. The pools of two roles may still grow to their 40 connections. */
const MAX_MORE = 60;
const folder = mkdtempSync(join(tmpdir(), 'quita-load-test-'));
let seen: LoadSeen;

beforeAll(async () => {
  const plan = { seconds: SECONDS, seed: 7, prepared: 40, rate: RATE, sampleEveryMs: 500, drainWithinMs: 90_000 };
  seen = await runLoad({ ...plan, folder, tell: () => {} });
}, TIMEOUT);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The short form of `npm run load`. A measurement of memory and latency takes minutes and a machine of its own. */
describe('mixed traffic of debtors, staff, bank and channel', () => {
  it('is answered without an error', () => {
    expect(seen.errors).toEqual([]);
    expect(seen.count).toBeGreaterThan((SECONDS * RATE) / 2);
    expect(seen.payments).toBeGreaterThan(0);
    expect(seen.messages).toBeGreaterThan(0);
    expect(seen.contacts).toBeGreaterThan(0);
    const frequent = Object.entries(MIX).flatMap(([kind, weight]) => (weight >= 50 ? [kind] : []));
    expect(seen.kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...frequent, 'delivery state']));
  });

  it('leaves no outbox row, no notification, no message and no payment unhandled, and ends no process', () => {
    expect(seen.end).toEqual({
      outbox: 0,
      unhandledNotifications: 0,
      unhandledMessages: 0,
      unsettled: 0,
      unsent: 0,
    });
    expect(Object.values(seen.deaths)).toEqual([0, 0, 0]);
  });

  it('leaves no file open', () => {
    expect([...seen.processes.keys()].toSorted()).toEqual(['api-1', 'postgres', 'relay-1', 'temporal', 'worker-1']);
    for (const [name, [before]] of seen.processes) {
      const after = seen.after.get(name);
      // A backend of PostgreSQL keeps the files of each table open that it has read, so its backends are counted.
      const grew = name === 'postgres' ? after!.processes - before!.processes : after!.files - before!.files;
      expect({ name, grew, isFew: grew <= MAX_MORE }).toMatchObject({ name, isFew: true });
    }
  });
});
