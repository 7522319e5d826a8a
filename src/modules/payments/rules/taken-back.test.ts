import { describe, expect, it } from '@jest/globals';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { type ConfirmedCharge, takenBack, undoneColumns } from './taken-back.ts';

const { holidays } = loadPolicy();
const NOW = new Date('2026-11-26T12:00:00Z');
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));

/** A payment that the client recorded, which counts for nothing yet. */
const charge = (id: string, given: Partial<ConfirmedCharge> = {}): ConfirmedCharge => ({
  id,
  status: 'APPROVED',
  amountCentavos: 10_000,
  paidCentavos: 10_000,
  refundedCentavos: 0,
  underpaidAt: null,
  chargedBackAt: null,
  approvedAt: at(12),
  duplicate: false,
  problem: null,
  supersededAt: null,
  providerUpdatedAt: null,
  method: 'cash',
  askedOn: null,
  askedFineCentavos: 0,
  askedInterestCentavos: 0,
  askedCorrectionCentavos: 0,
  creditedOn: '2026-11-20',
  settledCentavos: null,
  coveredCentavos: null,
  waivesRest: false,
  principalCentavos: 0,
  fineCentavos: 0,
  interestCentavos: 0,
  correctionCentavos: 0,
  ...given,
});

const settling = (id: string, given: Partial<ConfirmedCharge> = {}) =>
  charge(id, { settledCentavos: 10_000, coveredCentavos: 10_000, principalCentavos: 10_000, ...given });
const duplicate = (id: string, given: Partial<ConfirmedCharge> = {}) =>
  charge(id, { duplicate: true, approvedAt: at(15), ...given });
const part = (id: string, paidCentavos: number, given: Partial<ConfirmedCharge> = {}) =>
  charge(id, {
    status: 'PENDING',
    approvedAt: null,
    underpaidAt: at(10),
    paidCentavos,
    principalCentavos: paidCentavos,
    ...given,
  });

/** The latest first, as they are read. */
const without = (ids: readonly string[], isPaid: boolean, ...charges: ConfirmedCharge[]) =>
  takenBack(
    {
      indebted: {
        terms: null,
        principalCentavos: 10_000,
        dueDate: '2026-10-05',
        calendar: { holidays, states: ['SP'] },
        indices: { legalRate: new Map(), ipca: new Map() },
      },
      isPaid,
      charges,
    },
    new Set(ids),
    NOW,
  );

describe('a debt without payments that were recorded by mistake', () => {
  it('is open when the only payment is taken back, and the payment counts for nothing', () => {
    const after = without(['one'], true, settling('one'));
    expect([after.settled, after.recoveredCentavos, after.noLongerSettling, after.settling]).toEqual([
      false,
      -10_000,
      [],
      [],
    ]);
    expect(after.columns).toEqual(new Map([['one', undoneColumns(NOW)]]));
    expect(after.recovered).toMatchObject({ fine: 0, interest: 0 });
  });

  it('is paid by the payment that came second', () => {
    const after = without(['one'], true, duplicate('two'), settling('one'));
    expect([after.settled, after.recoveredCentavos, after.settling, after.noLongerSettling]).toEqual([
      true,
      -10_000,
      ['two'],
      [],
    ]);
    expect(after.columns.get('two')).toMatchObject({
      duplicate: false,
      coveredCentavos: 10_000,
      settledCentavos: 10_000,
      principalCentavos: 10_000,
    });
  });

  it('changes nothing of the first when the second payment is taken back', () => {
    const after = without(['two'], true, duplicate('two'), settling('one'));
    expect([after.settled, after.recoveredCentavos]).toEqual([true, -10_000]);
    expect([...after.columns.keys()]).toEqual(['two']);
  });

  it('loses the settlement of a rest when the part before it is taken back', () => {
    const rest = settling('rest', { paidCentavos: 6_000, principalCentavos: 6_000, approvedAt: at(12) });
    const after = without(['part'], true, rest, part('part', 4_000));
    expect([after.settled, after.noLongerSettling]).toEqual([false, ['rest']]);
    expect(after.columns.get('rest')).toMatchObject({ status: 'PENDING', approvedAt: null, coveredCentavos: null });
    // Money counts as recovered while the debt is settled.
    expect(after.recoveredCentavos).toBe(-10_000);
  });

  it('stays settled by a payment that covers it alone, with no more than what came', () => {
    const whole = settling('whole', { settledCentavos: 14_000, principalCentavos: 6_000 });
    const after = without(['part'], true, whole, part('part', 4_000));
    expect([after.settled, after.settling, after.noLongerSettling]).toEqual([true, [], []]);
    expect(after.columns.get('whole')).toMatchObject({ settledCentavos: 10_000, principalCentavos: 10_000 });
  });

  it('keeps a part when another one is taken back before anything settled it', () => {
    const after = without(['b'], false, part('b', 3_000, { underpaidAt: at(11) }), part('a', 4_000));
    expect([after.settled, after.recoveredCentavos, after.noLongerSettling]).toEqual([false, 0, []]);
    expect([...after.columns.keys()]).toEqual(['b']);
  });

  it('decides in the order in which the payments came, whatever order they are read in', () => {
    const [second, third] = [duplicate('second', { approvedAt: at(13) }), duplicate('third', { approvedAt: at(14) })];
    for (const read of [
      [third, second, settling('first')],
      [second, third, settling('first')],
    ]) {
      const after = without(['first'], true, ...read);
      expect(after.settling).toEqual(['second']);
      expect(after.columns.get('third')?.duplicate ?? true).toBe(true);
    }
  });

  it('gives up a rest by a payment from outside that covers the principal, also when it came second', () => {
    const after = without(['one'], true, duplicate('two'), settling('one'));
    expect(after.columns.get('two')).toMatchObject({ waivesRest: true });
    const byCode = duplicate('two', { method: null, askedOn: '2026-11-20' });
    expect(without(['one'], true, byCode, settling('one')).columns.get('two')).toMatchObject({ waivesRest: false });
  });

  it('is open when the second payment has gone back entirely', () => {
    const returned = duplicate('two', { method: null, askedOn: '2026-11-20', refundedCentavos: 10_000 });
    const after = without(['one'], true, returned, settling('one'));
    expect([after.settled, after.settling, after.recoveredCentavos]).toEqual([false, [], -10_000]);
    // It stays the second payment that went back, and pays nothing when a third one comes.
    expect([...after.columns.keys()]).toEqual(['one']);
    const third = duplicate('three', { approvedAt: at(16) });
    expect(without(['one'], true, third, returned, settling('one')).settling).toEqual(['three']);
  });

  it('is open again for the rest that a later part gave up because the debt was covered', () => {
    const last = settling('last', { paidCentavos: 4_000, principalCentavos: 4_000, waivesRest: true });
    const after = without(['first'], true, last, part('first', 6_000));
    expect([after.settled, after.noLongerSettling]).toEqual([false, ['last']]);
    expect(after.columns.get('last')).toMatchObject({ status: 'PENDING', waivesRest: false });
  });

  it('stays paid where the later payment covers the principal alone, or was told to give up the rest', () => {
    const whole = settling('last', { waivesRest: true });
    expect(without(['first'], true, whole, part('first', 500)).settled).toBe(true);
    const told = settling('last', { paidCentavos: 3_000, coveredCentavos: 9_000, waivesRest: true });
    const after = without(['first'], true, told, part('first', 6_000));
    expect([after.settled, after.columns.get('last')]).toMatchObject([
      true,
      { waivesRest: true, coveredCentavos: 3_000 },
    ]);
    // Of the first 60 reais 10 were interest, so that 95 of the principal are not all of it.
    const withInterest = part('first', 6_000, { principalCentavos: 5_000, interestCentavos: 1_000 });
    const toldLate = settling('last', { paidCentavos: 4_500, coveredCentavos: 10_500, waivesRest: true });
    expect(without(['first'], true, toldLate, withInterest).settled).toBe(true);
  });

  it('is open again when a part of what a broken agreement keeps is taken back', () => {
    // Agreed are 80 of 100 reais; 50 and 30 came after the breach, and with the second the discount was given.
    const ofAgreement = { method: null };
    const first = part('first', 5_000, { ...ofAgreement, partOf: 'a' });
    const given = { paidCentavos: 3_000, principalCentavos: 3_000, coveredCentavos: 8_000, waivesRest: true };
    const last = settling('last', { ...ofAgreement, ...given, partOf: 'b' });
    expect(without(['first'], true, last, first).settled).toBe(false);
    // What came beside the agreement had no part in its discount.
    const beside = part('first', 500);
    expect(without(['first'], true, last, beside).settled).toBe(true);
  });
});
