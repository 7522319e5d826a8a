import { describe, expect, it } from '@jest/globals';
import { paidInstalments } from './paid-instalments.ts';

const instalments = [1, 2, 3].map((number) => ({ number, dueDate: `2027-0${number}-10`, amountCentavos: 100 }));
const payment = (id: string, on: string, paidCentavos: number, amountCentavos = paidCentavos) => ({
  id,
  on,
  paidCentavos,
  amountCentavos,
});

describe('paidInstalments', () => {
  it('follows the order of the days, and says what is a part', () => {
    const payments = [payment('b', '2027-01-09', 150), payment('a', '2027-01-05', 60)];
    expect(paidInstalments(instalments, payments, 'a')).toEqual({
      paid: [{ number: 1, dueDate: '2027-01-10', amountCentavos: 60, isWhole: false }],
      openCentavos: 240,
    });
    expect(paidInstalments(instalments, payments, 'b')).toEqual({
      paid: [
        { number: 1, dueDate: '2027-01-10', amountCentavos: 40, isWhole: false },
        { number: 2, dueDate: '2027-02-10', amountCentavos: 100, isWhole: true },
        { number: 3, dueDate: '2027-03-10', amountCentavos: 10, isWhole: false },
      ],
      openCentavos: 90,
    });
  });

  it('counts all that came of the payment itself, and what is left of the others', () => {
    const payments = [payment('a', '2027-01-05', 100, 0), payment('b', '2027-01-09', 100, 40)];
    expect(paidInstalments(instalments, payments, 'b')).toEqual({
      paid: [{ number: 1, dueDate: '2027-01-10', amountCentavos: 100, isWhole: true }],
      openCentavos: 200,
    });
  });

  it('names no instalment of what is more than the agreement, or of another payment', () => {
    const payments = [payment('a', '2027-01-05', 300), payment('b', '2027-01-09', 100)];
    expect(paidInstalments(instalments, payments, 'b')).toEqual({ paid: [], openCentavos: 0 });
    expect(paidInstalments(instalments, payments, 'c').paid).toEqual([]);
  });
});
