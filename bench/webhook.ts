/**
 * `node bench/webhook.ts` measures how many notifications a second are accepted, against a bare Koa route that inserts
 * one row. The goal is 0.60 or more. `bench/settlement.ts` measures how soon a payment is APPROVED.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { signatureManifest } from '../src/modules/payments/rules/webhook-signature.ts';
import { type Call, compareCosts, costOfCalls, reportComparison } from './support/load.ts';
import { startPaymentsHarness } from './support/payments-harness.ts';
import { sized } from './support/quick.ts';
import { BENCH_WEBHOOK_SECRET } from './support/secrets.ts';

const SECONDS = sized(4, 2);
const ROUNDS = sized(5, 3);
const MAX_A_SECOND = 20_000;
const harness = await startPaymentsHarness(5_000);
try {
  let turn = 0;
  const next = () => harness.charges[turn++ % harness.charges.length]!;
  const bodyOf = (id: string) => JSON.stringify({ action: 'payment.updated', type: 'payment', data: { id } });
  const sign = (withAccount: boolean): Call => {
    const dataId = next();
    const requestId = randomUUID();
    const ts = String(Math.floor(Date.now() / 1000));
    const v1 = createHmac('sha256', BENCH_WEBHOOK_SECRET)
      .update(signatureManifest({ dataId, requestId, ts }))
      .digest('hex');
    const account = withAccount ? `&account=${harness.api.clientId}` : '';
    const headers = {
      'content-type': 'application/json',
      'x-signature': `ts=${ts},v1=${v1}`,
      'x-request-id': requestId,
    };
    const url = `${harness.api.url}/api/payments/webhook?data.id=${dataId}&type=payment${account}`;
    return { method: 'POST', url, headers, body: bodyOf(dataId) };
  };
  const { ofBare, ofApi } = harness.servers;
  const bare = () =>
    costOfCalls(() => ({ method: 'POST', url: `${harness.bareUrl}/insert`, body: bodyOf(next()) }), SECONDS, ofBare);
  for (const [name, withAccount] of [
    ['as our own address', true],
    ['without the account', false],
  ] as const) {
    const own = async () => {
      // This marks rows as the relay does, because the next notification of a charge would find a waiting row.
      await harness.owner.query('update outbox set delivered_at = now() where delivered_at is null');
      // The notifications are signed beforehand, because signing is the provider's work, and each is sent once, because
      // a repeated one writes nothing.
      const signed = Array.from({ length: SECONDS * MAX_A_SECOND }, () => sign(withAccount));
      const take = (): Call => {
        const call = signed.pop();
        if (call === undefined) throw new Error('The machine is faster than this benchmark expects');
        return call;
      };
      return costOfCalls(take, SECONDS, ofApi);
    };
    await bare();
    await own();
    reportComparison(`notification ${name}`, await compareCosts(bare, own, ROUNDS), { rate: 0.6, cpu: 1.6 });
  }
} finally {
  await harness.close();
}
