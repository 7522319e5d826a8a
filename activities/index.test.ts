import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createActivities } from './index.ts';

describe('the settlement of an agreement', () => {
  it('issues the receipts of what was paid when one of its codes cannot be asked about', async () => {
    const failure = new Error('the account refuses');
    const issued: unknown[] = [];
    const services = {
      settleAgreement: async () => Promise.reject(failure),
      issueInstalmentReceipts: async (asked: object) => void issued.push(asked),
    } as unknown as Parameters<typeof createActivities>[0]['services'];
    const { settleAgreement } = createActivities({ workerId: 'w', pingDatabase: async () => undefined, services });
    const env = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
    const clock = { at: 0, offsetMs: 0, exact: false };
    const task = { clientId: 'a', agreementId: 'b', clock, attemptKey: 'c' };
    await expect(env.run(settleAgreement, task)).rejects.toBe(failure);
    expect(issued).toEqual([expect.objectContaining({ clientId: 'a', agreementId: 'b' })]);
  });
});
