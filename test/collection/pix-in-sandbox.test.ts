import { expect, it } from '@jest/globals';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { cpfOf } from '../../testing/debts.ts';
import { collector, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startCollectionApp({ env: { SANDBOX_MAX_WAIT: '1500ms' } }));
const client = collector(await app.newClient());

interface Sent {
  readonly id: string;
  readonly purpose: string;
  readonly text: string;
  readonly pixCode: string | null;
  readonly stepsToPay: number | null;
}

const outboxOf = async (debtId: string): Promise<readonly Sent[]> =>
  (await client.call('GET', `/api/sandbox/outbox?debtId=${debtId}&limit=100&include=steps`)).body.items;

/** Does what a person does with a message until the code is in the bank's application, and counts. */
async function codeOf({ text, pixCode }: Sent): Promise<{ readonly code: string; readonly steps: number }> {
  // To copy it is one step, and to paste it into the bank and confirm another.
  if (pixCode !== null) return { code: pixCode, steps: 2 };
  const link = /https?:\/\/\S+\/p\/\S+/.exec(text)![0];
  const page = await (await fetch(`${app.url}${new URL(link).pathname}`)).text();
  return { code: /000201[^<"&]{60,600}/.exec(page)![0], steps: 3 };
}

it('a code in the message is one step fewer to the payment than the link, and as genuine as the page', async () => {
  const today = localDate(Date.now(), -3);
  const debtId = await client.launchOne({ debtorCpf: cpfOf(310_900_001), dueDate: addDays(today, -20) }, 7_001);
  await client.reaches(debtId, 'contacted', (debt) => sent(debt, 'collection').length > 0);
  const [first] = await outboxOf(debtId);
  expect(first).toMatchObject({ purpose: 'collection', pixCode: null, stepsToPay: 3 });

  expect((await client.say(debtId, 'Quero pagar')).status).toBe(202);
  const debt = await client.reaches(debtId, 'answered', (one) => sent(one, 'reply').length > 0);
  const answer = (await outboxOf(debtId)).find(({ purpose }) => purpose === 'reply')!;
  expect(answer.stepsToPay).toBe(2);
  const [byLink, byMessage] = [await codeOf(first!), await codeOf(answer)];
  expect([byLink.steps, byMessage.steps]).toEqual([first!.stepsToPay, answer.stepsToPay]);
  expect(byMessage.code).toBe(byLink.code);

  // Asked for in other words, the answer would be the same, which is said once.
  expect((await client.say(debtId, 'Quero pagar agora, manda o Pix')).status).toBe(202);
  await until('the words are handled', async () => {
    const rows = await app.query<{ handled: boolean }>(
      `select handled_at is not null as handled from messages where debt_id = $1 and direction = 'in'`,
      [debtId],
    );
    return rows.length === 2 && rows.every(({ handled }) => handled);
  });
  // An answer would come with the next message of the conversation at the latest.
  await client.reaches(debtId, 'contacted again', (one) => sent(one, 'collection').length > 1);
  expect((await outboxOf(debtId)).filter(({ purpose }) => purpose === 'reply')).toHaveLength(1);

  // Staff read the text that the person saw, and that a code came with it.
  const entry = ofKind(debt, 'message_sent').find(({ purpose }) => purpose === 'reply');
  expect(entry).toMatchObject({ pixCode: true, text: answer.text });
  // Whoever reads the outbox without the phone finds the code in the text too.
  expect(answer.text).toContain(byMessage.code);
  for (const [content, kind] of [
    [answer.text, 'message'],
    [byMessage.code, 'pix'],
  ]) {
    const { body } = await client.call('POST', '/api/genuine', { content });
    expect(body).toMatchObject({ genuine: true, kind, sandbox: true });
  }

  expect((await client.call('POST', `/api/sandbox/debts/${debtId}/pay`)).status).toBe(202);
  await client.reaches(debtId, 'paid', ({ status }) => status === 'PAID');
  const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
  try {
    const handle = new TemporalClient({ connection }).workflow.getHandle(`collection-${debtId}`);
    await until('the workflow ends', async () => (await handle.describe()).status.name === 'COMPLETED');
    const history = Buffer.from(JSON.stringify(await handle.fetchHistory())).toString();
    const payloads = [...history.matchAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g)].map(([, data]) => atob(data!));
    // So the payloads are read at all.
    expect(payloads.join()).toContain(debtId);
    for (const text of [history, ...payloads]) expect(text).not.toContain('br.gov.bcb.pix');
  } finally {
    await connection.close();
  }
}, 120_000);
