import { describe, expect, it } from '@jest/globals';
import { restartFrom } from './restart-term.ts';

const at = (text: string) => new Date(`${text}T12:00:00Z`);
const from = (given: Partial<Parameters<typeof restartFrom>[0]>) => {
  const moment = restartFrom({ lastContactAt: null, restartedAt: null, endCorrectedAt: null, ...given });
  return moment === null ? null : new Date(moment).toISOString().slice(0, 10);
};

describe('a new sequence for a debt that has ended', () => {
  it('waits 30 days after the last contact', () => {
    expect(from({})).toBeNull();
    expect(from({ lastContactAt: at('2026-11-01') })).toBe('2026-12-01');
  });

  it('waits 90 days after the one before', () => {
    expect(from({ restartedAt: at('2026-11-01') })).toBe('2027-01-30');
    expect(from({ restartedAt: at('2026-11-01'), lastContactAt: at('2027-01-20') })).toBe('2027-02-19');
  });

  it('waits for nothing after a correction of what had ended it', () => {
    expect(from({ lastContactAt: at('2026-11-01'), endCorrectedAt: at('2026-11-02') })).toBeNull();
  });
});
