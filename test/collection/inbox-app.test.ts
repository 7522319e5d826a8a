import { expect, it } from '@jest/globals';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { until } from '../../testing/poll.ts';
import { createTemporalServer } from '../workflows/support/temporal-server.ts';

it('a hold in the sandbox stands in the inbox, is mailed by the schedule once, and leaves when it is resumed', async () => {
  const server = await createTemporalServer();
  await server.start();
  const app = await startCollectionApp({ temporalAddress: server.target.address });
  const gateway = createGateway({ ...server.target, taskQueue: 'none' });
  try {
    const client = collector(await app.newClient());
    await client.call('PATCH', '/api/onboarding/me', { contactEmail: 'cobranca@escola.com.br' });
    const id = await client.launchOne({}, 900);
    await client.say(id, 'Quero falar com uma pessoa');
    await client.reaches(id, 'held', ({ status }) => status === 'ON_HOLD');
    expect((await client.call('GET', '/api/inbox')).body).toMatchObject({
      items: [{ debt: { id }, reason: 'human', lastMessage: { text: 'Quero falar com uma pessoa' }, sandbox: true }],
      counts: { human: 1 },
    });

    await app.query(`update inbox_items set since = since - interval '1 minute'`);
    const mails = () =>
      app.query<{ recipient: string; text: string }>(
        `select recipient, text from sandbox_outbox where purpose = 'inbox_digest'`,
      );
    const trigger = () =>
      gateway.triggerSchedule('inbox-digests').then(
        () => true,
        () => false,
      );
    await until('the digest', async () => (await trigger()) && (await mails()).length > 0, { timeoutMs: 40_000 });
    for (let again = 0; again < 3; again += 1) await trigger();
    expect(await mails()).toEqual([
      { recipient: 'cobranca@escola.com.br', text: expect.stringContaining('1 pedido para falar com uma pessoa') },
    ]);
    expect((await client.outbox(id)).map(({ purpose }: { purpose: string }) => purpose)).not.toContain('inbox_digest');

    expect((await client.call('POST', `/api/debts/${id}/resume`)).status).toBe(200);
    expect((await client.call('GET', '/api/inbox')).body.items).toEqual([]);
  } finally {
    await gateway.close();
    await app.close();
    await server.remove();
  }
});
