import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);

const paymentOf = async (client: TestClient, debtId: string) =>
  (await client.call('GET', `/api/payments/${debtId}`)).body;

/** A code of an instalment that can still be paid. */
async function openCode(agreementId: string, instalment: number, brCode: string): Promise<string> {
  const id = randomUUID();
  await app.query(
    `insert into charges (id, client_id, debt_id, agreement_id, instalment, attempt, provider, provider_payment_id,
       provider_payment_key, status, amount_centavos, br_code, expires_at)
     select $1::uuid, client_id, debt_id, id, $3::int,
       (select count(*) + 1 from charges where debt_id = agreements.debt_id), 'sandbox', $1::uuid::text, $1::uuid::text,
       'PENDING', 12345, $4, now() + interval '1 day'
     from agreements where id = $2`,
    [id, agreementId, instalment, brCode],
  );
  return id;
}

describe('the payment of a debt of an agreement', () => {
  it('is pending, and its code is the latest of the agreement, whichever debt it stands on', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{}, {}]]);
    const agreementId = await agreements.agree(client, person, 2);
    // Each share is R$ 1.000,00 less 15 %.
    const nothing = { status: 'PENDING', paymentId: null, brCode: null, paidAt: null };
    for (const id of person.ids) expect(await paymentOf(client, id)).toMatchObject({ ...nothing, amount: 850 });

    // A paid instalment is no payment of the debt, but less is open of its share.
    await agreements.pay(agreementId, { centavos: 10_000 });
    const { debtIds } = (await client.call('GET', `/api/agreements/${agreementId}`)).body;
    expect(await paymentOf(client, debtIds[0])).toMatchObject({ ...nothing, amount: 750 });
    expect(await paymentOf(client, debtIds[1])).toMatchObject({ ...nothing, amount: 850 });

    await openCode(agreementId, 2, 'code of the second');
    const paymentId = await openCode(agreementId, 3, 'code of the third');
    for (const id of person.ids) {
      expect(await paymentOf(client, id)).toMatchObject({
        status: 'PENDING',
        paymentId,
        brCode: 'code of the third',
        amount: 123.45,
        paidAt: null,
      });
    }
  });

  it('is what the debt got of the money, once that has settled it', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{}, {}]]);
    const agreementId = await agreements.agree(client, person);
    const paid = await agreements.pay(agreementId, { centavos: 140_000 });
    const parts = new Map<string, string>();
    for (const id of person.ids) parts.set(id, await agreements.credit(paid, id, 70_000));
    await app.query(`update debts set status = 'PAID', agreement_id = null where id = any($1)`, [person.ids]);
    await agreements.end(agreementId, 'COMPLETED');
    // More than everything is no payment of the debt on which its code stood.
    await agreements.pay(agreementId, { centavos: 100 });
    for (const [debtId, paymentId] of parts) {
      expect(await paymentOf(client, debtId)).toMatchObject({
        status: 'APPROVED',
        paymentId,
        amount: 700,
        brCode: null,
        paidAt: expect.any(String),
      });
    }
  });
});
