import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ShownEntry } from '../rules/shown-entry.ts';
import { type BulkSteps, pageOfTimeline } from './read-timeline.ts';

// Only a few moments are generated, so that many entries share one.
const moment = fc.integer({ min: 0, max: 12 }).map((hour) => new Date(Date.UTC(2026, 10, 18, hour)));
const NOBODY = { importedBy: null, importerName: null };
const steps = fc.record({
  createdAt: moment,
  launchedAt: fc.option(moment),
  scoredAt: fc.option(moment),
  score: fc.constant(50),
  firstLeft: fc.constantFrom(null, 'IMPORTED', 'QUEUED'),
  importedBy: fc.constant(null),
  importerName: fc.constant(null),
});
const events = fc
  .array(moment)
  .map((moments) => moments.toSorted((a, b) => Number(a) - Number(b)))
  .map((moments) =>
    moments.map((at, seq): ShownEntry => ({ at: at.toISOString(), kind: 'charge_created', paymentId: `${seq}` })),
  );

/** Reads all pages as the database gives them, and returns the entries in the order of happening. */
function readAll(bulk: BulkSteps, written: readonly ShownEntry[], limit: number): ShownEntry[] {
  const rows = written.map((entry, seq) => ({ seq, entry })).reverse();
  const items: ShownEntry[] = [];
  let from: NonNullable<Parameters<typeof pageOfTimeline>[2]['from']> | null = { before: null, steps: 0 };
  while (from !== null) {
    const before: number = from.before ?? written.length;
    const left = rows.filter(({ seq }) => seq < before).slice(0, limit + 1);
    const page: ReturnType<typeof pageOfTimeline> = pageOfTimeline(bulk, left, { from, limit });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    expect(page.items.length === limit || page.next === null).toBe(true);
    items.push(...page.items);
    from = page.next;
  }
  return items.reverse();
}

const whole = (bulk: BulkSteps, written: readonly ShownEntry[]) => readAll(bulk, written, 1_000);

describe('a timeline', () => {
  it('is in chronological order, has every entry, and keeps the order in which events were written', () => {
    fc.assert(
      fc.property(steps, events, (bulk, written) => {
        const timeline = whole(bulk, written);
        const at = timeline.map((entry) => entry.at);
        expect(at).toEqual(at.toSorted());
        expect(timeline.filter((entry) => 'paymentId' in entry)).toEqual(written);
        const queued = bulk.launchedAt !== null && bulk.firstLeft !== 'IMPORTED';
        const derived = 1 + Number(queued) + Number(bulk.scoredAt !== null);
        expect(timeline).toHaveLength(written.length + derived);
      }),
    );
  });

  it('is the same page by page, whatever the length of the pages', () => {
    fc.assert(
      fc.property(steps, events, fc.integer({ min: 1, max: 8 }), (bulk, written, limit) => {
        expect(readAll(bulk, written, limit)).toEqual(whole(bulk, written));
      }),
    );
  });

  it('lists the steps of all debts before other events of the same moment', () => {
    const at = new Date('2026-11-18T12:00:00Z');
    const written: ShownEntry[] = [{ at: at.toISOString(), kind: 'charge_created', paymentId: '' }];
    const bulk = { ...NOBODY, createdAt: at, launchedAt: at, scoredAt: at, score: 1, firstLeft: null };
    expect(whole(bulk, written).map(({ kind }) => kind)).toEqual([
      'imported',
      'status_changed',
      'scored',
      'charge_created',
    ]);
  });

  it('does not list a debt as queued when it had left the draft before', () => {
    const bulk = {
      ...NOBODY,
      createdAt: new Date(0),
      launchedAt: new Date(3),
      scoredAt: null,
      score: null,
      firstLeft: 'IMPORTED',
    };
    expect(whole(bulk, []).map(({ kind }) => kind)).toEqual(['imported']);
  });
});
