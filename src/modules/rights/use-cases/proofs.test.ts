import { expect, it } from '@jest/globals';
import { createProofs } from './proofs.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const MINUTE = 60_000;
const old = createProofs(['old']);
const rotated = createProofs(['new', 'old']);

it('is good for half an hour, for one page, and after a rotation', () => {
  const proof = old.make('page', NOW);
  expect(old.isGood('page', proof, NOW)).toBe(true);
  expect(old.isGood('page', proof, NOW + 29 * MINUTE)).toBe(true);
  expect(old.isGood('page', proof, NOW + 31 * MINUTE)).toBe(false);
  expect(old.isGood('other', proof, NOW)).toBe(false);
  expect(rotated.isGood('page', proof, NOW)).toBe(true);
  expect(createProofs(['new']).isGood('page', proof, NOW)).toBe(false);
});

it('is good only as it was made', () => {
  const proof = old.make('page', NOW);
  const [ends, signature] = proof.split('.');
  const later = (Number.parseInt(ends!, 36) + 1).toString(36);
  for (const wrong of [
    '',
    '.',
    `${later}.${signature}`,
    `${ends}.`,
    `${proof}A`,
    proof.slice(1),
    `${ends}.${'A'.repeat(43)}`,
  ])
    expect([wrong, old.isGood('page', wrong, NOW)]).toEqual([wrong, false]);
});
