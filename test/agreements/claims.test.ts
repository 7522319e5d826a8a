import { expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { cpfOf } from '../../testing/debts.ts';
import { collector, type Debt, ofKind, sent, startHeldApp } from '../../testing/engine-harness.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startHeldApp());
const client = collector(await app.newClient());
await client.call('PUT', '/api/offers/policy', OFFERS_POLICY);
const replies = (debt: Debt) => sent(debt, 'reply').map(({ text }) => text);

it('a debtor who has paid an instalment and says so reads that it has come, and nobody has to check it', async () => {
  const dueDate = addDays(localDate(Date.now(), -3), -100);
  const id = await client.launchOne({ debtorCpf: cpfOf(319_000_001), dueDate, originalAmount: 1000 }, 3_991);
  await client.contacted(id);
  for (const [at, text] of ['quero negociar', 'aceito a 2'].entries()) {
    await client.say(id, text);
    await client.reaches(id, text, (one) => replies(one).length > at);
  }
  expect((await client.call('POST', `/api/sandbox/debts/${id}/pay`)).status).toBe(202);
  await client.reaches(id, 'paid', (one) => ofKind(one, 'instalment_paid').length === 1);
  await client.say(id, 'já paguei');
  const debt = await client.reaches(id, 'an answer', (one) => replies(one).length > 2);
  const [told] = await app.query<{ requests: string[]; saidPaidAt: Date | null }>(
    `select requests, said_paid_at as "saidPaidAt" from person_requests
     where debtor_tax_id = (select debtor_tax_id from debts where id = $1)`,
    [id],
  );
  expect(told?.requests ?? []).toEqual([]);
  expect(told?.saidPaidAt ?? null).toBeNull();
  expect(replies(debt).at(-1)).toMatch(/está pago.*A parcela 2 de 3/);
  expect(await app.query('select from inbox_items where debt_id = $1 and closed_at is null', [id])).toEqual([]);
});
