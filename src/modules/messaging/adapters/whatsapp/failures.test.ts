import { describe, expect, it } from '@jest/globals';
import { kindOfFailedDelivery, meaningOfAnswer } from './failures.ts';

const meaning = (code: number | null, change: object = {}, sends = true) =>
  meaningOfAnswer({ status: 400, code, missingResource: false, transient: false, ...change }, sends);

describe('the error codes of WhatsApp', () => {
  it.each([
    ['unauthorized', [0, 3, 10, 33, 190, 200, 219, 299, 131005]],
    ['window_closed', [131047]],
    ['opted_out', [131050]],
    ['undeliverable', [130403, 130472, 131026, 131049, 131062]],
    ['suspended', [368, 130497, 131030, 131031, 131037, 131042, 131045, 131048, 131064, 133010, 134011]],
    ['rejected', [100, 2040, 131008, 131009, 131021, 131051, 131052, 131063, 135000]],
    ['rejected', [132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 132068, 132069]],
    ['retryable', [1, 2, 4, 80007, 130429, 131000, 131016, 131053, 131056, 131057, 133004, 133016]],
  ])('that mean %s', (kind, codes) => {
    for (const code of codes) expect([code, meaning(code).kind]).toEqual([code, kind]);
  });

  it('count more than the HTTP status, which differs from table to table', () => {
    expect(meaning(131000, { status: 500 })).toEqual({ kind: 'retryable' });
    expect(meaning(130429, { status: 400 })).toEqual(meaning(130429, { status: 429 }));
    expect(meaning(131026, { status: 500 })).toEqual({ kind: 'undeliverable' });
  });

  it('say whether the wait is for the sender or for one recipient', () => {
    for (const code of [4, 80007, 130429, 131016, 131057]) expect(meaning(code).scope).toBe('sender');
    for (const code of [131000, 131053, 131056]) expect(meaning(code).scope).toBeUndefined();
    expect(meaning(131057).waitSeconds).toBe(60);
  });

  it('leave the outcome open where Meta does', () => {
    expect(meaning(1, { status: 500 })).toEqual({ kind: 'unknown_outcome' });
    expect(meaning(1, { status: 400 })).toEqual({ kind: 'retryable' });
  });

  it('are not all known: then the HTTP status and `is_transient` decide', () => {
    const unknown = (status: number, transient = false) => meaning(999_999, { status, transient }).kind;
    expect([500, 503, 408, 302].map((status) => unknown(status))).toEqual(Array(4).fill('unknown_outcome'));
    expect(unknown(500, true)).toBe('unknown_outcome');
    expect(unknown(400, true)).toBe('retryable');
    expect([401, 403].map((status) => unknown(status))).toEqual(['unauthorized', 'unauthorized']);
    expect(unknown(429)).toBe('retryable');
    expect([400, 404, 422].map((status) => unknown(status))).toEqual(Array(3).fill('rejected'));
  });

  it('may always be asked about again when nothing was sent', () => {
    expect(meaning(null, { status: 502 }, false)).toEqual({ kind: 'retryable' });
    expect(meaning(1, { status: 500 }, false)).toEqual({ kind: 'retryable' });
  });

  it('that say "no such object for this token" mean the credentials', () => {
    expect(meaning(100, { missingResource: true }).kind).toBe('unauthorized');
  });

  it('of a delivery that failed never leave the outcome open', () => {
    expect(kindOfFailedDelivery(null)).toBe('undeliverable');
    expect(kindOfFailedDelivery(1)).toBe('retryable');
    expect(kindOfFailedDelivery(999_999)).toBe('undeliverable');
  });
});
