import { describe, expect, it, jest } from '@jest/globals';
import { GatewayError } from '../../src/platform/temporal/gateway-error.ts';
import { wakeOverdue } from './wake-overdue.ts';

const CLIENTS = [{ id: 'client', webhookId: 'webhook' }];
const closing = () => new GatewayError('RESOURCE_EXHAUSTED', { detail: 'workflow is closing' });

describe('what a chaos run does after a step of the clock', () => {
  it('signals again what Temporal refused while the workflow was closing', async () => {
    const start = jest.fn(async () => 'started' as const);
    const signalWithStart = jest.fn(async () => undefined);
    start.mockRejectedValueOnce(closing());
    signalWithStart.mockRejectedValueOnce(closing());
    await wakeOverdue({ start, signalWithStart }, CLIENTS);
    expect([start.mock.calls.length, signalWithStart.mock.calls.length]).toEqual([2, 2]);
    expect(start.mock.calls[1]).toEqual(start.mock.calls[0]);
  });

  it('fails at once when the call itself is wrong', async () => {
    const wrong = new GatewayError('INVALID_ARGUMENT', { permanent: true });
    const start = jest.fn(async () => Promise.reject(wrong));
    const signalWithStart = jest.fn(async () => undefined);
    await expect(wakeOverdue({ start, signalWithStart }, CLIENTS)).rejects.toBe(wrong);
    expect(start).toHaveBeenCalledTimes(1);
  });
});
