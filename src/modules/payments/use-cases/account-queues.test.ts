import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAccountQueues, type QueuedCharge } from './account-queues.ts';

const charge = (clientId: string, given: Partial<QueuedCharge> = {}): QueuedCharge => ({
  clientId,
  provider: 'mercadopago',
  accountId: clientId,
  accountFailures: 0,
  ...given,
});
const many = (clientId: string, count: number) => Array.from({ length: count }, () => charge(clientId));

/** Takes charges until none may be asked about now. */
function takeAll(queues: ReturnType<typeof createAccountQueues<QueuedCharge>>): QueuedCharge[] {
  const taken: QueuedCharge[] = [];
  for (let next = queues.next(); next !== undefined; next = queues.next()) taken.push(next);
  return taken;
}

describe('the queues of the accounts', () => {
  it('allow an account one more question with each quick answer, up to twelve, and few when it is slow', () => {
    const queues = createAccountQueues<QueuedCharge>();
    queues.add(many('a', 200));
    const sizes: number[] = [];
    let asked = takeAll(queues);
    for (const tookMs of [10, 10, 10, 10, 10, 6_000]) {
      sizes.push(asked.length);
      for (const one of asked) queues.answered(one, tookMs);
      asked = takeAll(queues);
    }
    expect(sizes).toEqual([1, 2, 4, 8, 12, 12]);
    expect(asked).toHaveLength(1);
  });

  it('drop the charges of an account that is paused, and refuse further ones', () => {
    const queues = createAccountQueues<QueuedCharge>();
    queues.add(many('a', 5));
    expect(queues.failed(queues.next()!, { atOnce: false })).toBe(false);
    expect(queues.failed(queues.next()!, { atOnce: false })).toBe(true);
    queues.add(many('a', 5));
    expect(queues.next()).toBeUndefined();
    expect(queues.occupiedClients()).toEqual([]);
  });

  it('take no further charges of a client of which many wait, nor of the paused account of the deployment', () => {
    const queues = createAccountQueues<QueuedCharge>();
    queues.add([...many('a', 65), ...many('b', 10), charge('c', { accountId: null })]);
    takeAll(queues);
    queues.failed(charge('c', { accountId: null }), { atOnce: true });
    expect(queues.occupiedClients()).toEqual(['a', 'c']);
  });

  it('give every account its turn, and never ask one account more than twelve questions at a time', () => {
    const events = fc.array(fc.oneof(fc.constant('next' as const), fc.constant('answer' as const)), { maxLength: 300 });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }), events, (sizes, steps) => {
        const queues = createAccountQueues<QueuedCharge>();
        for (const [account, size] of sizes.entries()) queues.add(many(String(account), size));
        const asking: QueuedCharge[] = [];
        const order: string[] = [];
        for (const step of steps) {
          if (step === 'answer') {
            const one = asking.shift();
            if (one !== undefined) queues.answered(one, 1);
            continue;
          }
          const one = queues.next();
          if (one === undefined) continue;
          asking.push(one);
          order.push(one.clientId);
          expect(asking.filter(({ clientId }) => clientId === one.clientId).length).toBeLessThanOrEqual(12);
        }
        // The first questions go to different accounts.
        const first = order.slice(0, sizes.length);
        expect(new Set(first).size).toBe(first.length);
      }),
    );
  });
});
