import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../src/platform/temporal/gateway-error.ts';
import { wakeOverdue } from './wake-overdue.ts';

const CLIENTS = [{ id: 'client', webhookId: 'webhook' }];

/** A call that fails with these errors, one after the other, and then answers. */
function failing<T>(answer: T, errors: readonly Error[]) {
  const calls: unknown[][] = [];
  return {
    calls,
    call: async (...given: unknown[]): Promise<T> => {
      const error = errors[calls.length];
      calls.push(given);
      if (error !== undefined) throw error;
      return answer;
    },
  };
}

describe('what a chaos run does after a step of the clock', () => {
  it('signals again what Temporal refused while the workflow was closing', async () => {
    const closing = new GatewayError('RESOURCE_EXHAUSTED', { detail: 'workflow is closing' });
    const start = failing('started' as const, [closing]);
    const signalWithStart = failing(undefined, [closing]);
    await wakeOverdue({ start: start.call, signalWithStart: signalWithStart.call }, CLIENTS);
    expect([start.calls.length, signalWithStart.calls.length]).toEqual([2, 2]);
    expect(start.calls[1]).toEqual(start.calls[0]);
  });

  it('fails at once when the call itself is wrong', async () => {
    const wrong = new GatewayError('INVALID_ARGUMENT', { permanent: true });
    const start = failing('started' as const, [wrong, wrong]);
    const signalWithStart = failing(undefined, []);
    await expect(wakeOverdue({ start: start.call, signalWithStart: signalWithStart.call }, CLIENTS)).rejects.toBe(
      wrong,
    );
    expect(start.calls).toHaveLength(1);
  });
});
