import { describe, expect, it } from '@jest/globals';
import { isOldList, lackOf, summaryOf } from './summary.ts';

const people = {
  contacts: [
    { contacts: 1, people: 3 },
    { contacts: 3, people: 2 },
  ],
  movedByCap: 0,
};
const contacts = [
  { date: '2026-11-23', hour: 9, count: 5 },
  { date: '2026-11-24', hour: 9, count: 4 },
];
const cost = (total: number | null, messages = 9) => ({ channel: 'whatsapp', messages, unit: total, total }) as const;

describe('the figures of a rehearsal', () => {
  it('are people, messages and cost', () => {
    expect(summaryOf({ people, contacts, cost: [cost(1.5)] })).toEqual({ people: 5, messages: 9, cost: 1.5 });
  });
  it('have no cost when the price of a channel that is used is not known', () => {
    expect(summaryOf({ people, contacts, cost: [cost(1.5), cost(null)] }).cost).toBeNull();
    expect(summaryOf({ people, contacts, cost: [cost(1.5), cost(null, 0)] }).cost).toBe(1.5);
  });
});

describe('a list of prices', () => {
  it('is old after half a year', () => {
    expect(isOldList('2026-11-28', Date.parse('2027-05-28T12:00:00Z'))).toBe(false);
    expect(isOldList('2026-11-28', Date.parse('2027-05-31T12:00:00Z'))).toBe(true);
  });
});

describe('what a channel lacks', () => {
  it('is a word and what the channel said', () => {
    expect(lackOf({ channel: 'whatsapp', template: 'cobranca', reason: 'rejected TAG CONTENT' })).toEqual({
      channel: 'whatsapp',
      template: 'cobranca',
      word: 'rejected',
      detail: 'TAG CONTENT',
    });
  });
});
