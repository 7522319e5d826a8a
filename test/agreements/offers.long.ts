import { it } from '@jest/globals';
import { expectOffersWithinPolicies } from '../../testing/offers-within-policies.ts';

it('makes a hundred thousand offers, by policy and by staff, and none is outside its policy', () => {
  expectOffersWithinPolicies(100_000);
});
