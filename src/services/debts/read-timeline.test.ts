import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inChronologicalOrder, type TimelineEntry } from './read-timeline.ts';

// Only a few moments are generated, so that many entries share one.
const moment = fc.integer({ min: 0, max: 12 }).map((hour) => new Date(Date.UTC(2026, 10, 18, hour)));
const steps = fc.record({
  createdAt: moment,
  launchedAt: fc.option(moment),
  scoredAt: fc.option(moment),
  score: fc.constant(50),
});
const events = fc
  .array(moment)
  .map((moments) => moments.toSorted((a, b) => Number(a) - Number(b)))
  .map((moments) => moments.map((at, seq): TimelineEntry => ({ at: at.toISOString(), kind: 'message_received', seq })));

describe('a timeline', () => {
  it('is in chronological order, has every entry, and keeps the order in which events were written', () => {
    fc.assert(
      fc.property(steps, events, (bulk, written) => {
        const timeline = inChronologicalOrder(bulk, written);
        const at = timeline.map((entry) => entry.at);
        expect(at).toEqual(at.toSorted());
        expect(timeline.filter((entry) => 'seq' in entry)).toEqual(written);
        const derived = 1 + Number(bulk.launchedAt !== null) + Number(bulk.scoredAt !== null);
        expect(timeline).toHaveLength(written.length + derived);
      }),
    );
  });

  it('lists the steps of all debts before other events of the same moment', () => {
    const at = new Date('2026-11-18T12:00:00Z');
    const written: TimelineEntry[] = [{ at: at.toISOString(), kind: 'verdict' }];
    const kinds = inChronologicalOrder({ createdAt: at, launchedAt: at, scoredAt: at, score: 1 }, written);
    expect(kinds.map(({ kind }) => kind)).toEqual(['imported', 'status_changed', 'scored', 'verdict']);
  });

  it('does not list a debt as queued when it had left the draft before', () => {
    const steps = { createdAt: new Date(0), launchedAt: new Date(3), scoredAt: null, score: null };
    const written: TimelineEntry[] = [
      { at: new Date(2).toISOString(), kind: 'status_changed', from: 'IMPORTED', to: 'STOPPED' },
    ];
    expect(inChronologicalOrder(steps, written).map(({ kind }) => kind)).toEqual(['imported', 'status_changed']);
  });
});
