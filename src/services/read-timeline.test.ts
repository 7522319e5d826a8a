import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inOrderOfHappening, type TimelineEntry } from './read-timeline.ts';

// Few moments, so that many entries share one.
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
  it('is in the order of happening, holds every entry, and keeps the order in which events were written', () => {
    fc.assert(
      fc.property(steps, events, (bulk, written) => {
        const timeline = inOrderOfHappening(bulk, written);
        const at = timeline.map((entry) => entry.at);
        expect(at).toEqual(at.toSorted());
        expect(timeline.filter((entry) => 'seq' in entry)).toEqual(written);
        const derived = 1 + Number(bulk.launchedAt !== null) + Number(bulk.scoredAt !== null);
        expect(timeline).toHaveLength(written.length + derived);
      }),
    );
  });

  it('tells of one moment first what was done to all debts', () => {
    const at = new Date('2026-11-18T12:00:00Z');
    const written: TimelineEntry[] = [{ at: at.toISOString(), kind: 'verdict' }];
    const kinds = inOrderOfHappening({ createdAt: at, launchedAt: at, scoredAt: at, score: 1 }, written);
    expect(kinds.map(({ kind }) => kind)).toEqual(['imported', 'status_changed', 'scored', 'verdict']);
  });

  it('does not say that a debt was queued which had left the draft before', () => {
    const steps = { createdAt: new Date(0), launchedAt: new Date(3), scoredAt: null, score: null };
    const written: TimelineEntry[] = [
      { at: new Date(2).toISOString(), kind: 'status_changed', from: 'IMPORTED', to: 'STOPPED' },
    ];
    expect(inOrderOfHappening(steps, written).map(({ kind }) => kind)).toEqual(['imported', 'status_changed']);
  });
});
