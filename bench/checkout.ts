/**
 * `node bench/checkout.ts` measures the rate of GET /api/checkout/:debtId/status against bare Koa with the same query
 * (without row security and checks). The goal is 0.70 or more.
 */
import { compareCosts, costOfCalls, reportComparison } from './support/load.ts';
import { startPaymentsHarness } from './support/payments-harness.ts';
import { sized } from './support/quick.ts';

const SECONDS = sized(4, 2);
const ROUNDS = sized(5, 3);
const harness = await startPaymentsHarness(2_000);
try {
  const ids = harness.debts;
  let turn = 0;
  const next = () => ids[turn++ % ids.length]!;
  const { ofBare, ofApi } = harness.servers;
  const bare = () =>
    costOfCalls(() => ({ method: 'GET', url: `${harness.bareUrl}/status/${next()}` }), SECONDS, ofBare);
  const own = () =>
    costOfCalls(() => ({ method: 'GET', url: `${harness.api.url}/api/checkout/${next()}/status` }), SECONDS, ofApi);
  await bare();
  await own();
  reportComparison('status of a debt', await compareCosts(bare, own, ROUNDS), { rate: 0.7 });
} finally {
  await harness.close();
}
