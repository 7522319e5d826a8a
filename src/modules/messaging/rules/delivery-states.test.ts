import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deliveryAfter, MESSAGE_DELIVERIES, type MessageDelivery, type ReportedDelivery } from './delivery-states.ts';

const reports = (...states: readonly ReportedDelivery[]) => fc.array(fc.constantFrom(...states), { maxLength: 8 });
const told = (known: MessageDelivery, reported: readonly ReportedDelivery[]): MessageDelivery =>
  reported.reduce(deliveryAfter, known);

describe('the state of a message after reports of its channel', () => {
  it.each([
    ['booked', 'sent', 'sent'],
    ['unknown', 'sent', 'sent'],
    ['unknown', 'read', 'read'],
    ['sent', 'failed', 'failed'],
    ['unknown', 'failed', 'failed'],
    ['sent', 'unknown', 'unknown'],
    ['delivered', 'unknown', 'delivered'],
    ['failed', 'unknown', 'failed'],
    ['delivered', 'sent', 'delivered'],
    ['read', 'delivered', 'read'],
    ['delivered', 'failed', 'delivered'],
    ['read', 'failed', 'read'],
    ['failed', 'delivered', 'failed'],
  ] as const)('%s, then %s reported: %s', (known, reported, expected) => {
    expect(deliveryAfter(known, reported)).toBe(expected);
  });

  it('does not depend on the order of reports without a failure', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGE_DELIVERIES), reports('sent', 'delivered', 'read'), (known, given) => {
        expect(told(known, given)).toBe(told(known, given.toReversed()));
      }),
    );
  });

  it('is the same when every report comes twice', () => {
    const all = reports('sent', 'delivered', 'read', 'failed', 'unknown');
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGE_DELIVERIES), all, (known, given) => {
        const once = told(known, given);
        expect(told(once, given)).toBe(once);
        expect(
          told(
            known,
            given.flatMap((one) => [one, one]),
          ),
        ).toBe(once);
      }),
    );
  });
});
