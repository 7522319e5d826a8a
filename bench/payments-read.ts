/**
 * `node bench/payments-read.ts` measures the rate of GET /api/payments/:debtId, authenticated and under row security,
 * against bare Koa with the same query. The goal is 0.50 or more.
 */
import { compareCosts, costOfCalls, reportComparison } from './support/load.ts';
import { startPaymentsHarness } from './support/payments-harness.ts';
import { sized } from './support/quick.ts';

const SECONDS = sized(4, 2);
const ROUNDS = sized(5, 3);
const harness = await startPaymentsHarness(2_000);
try {
  const ids = harness.debts;
  const headers = { authorization: `Bearer ${harness.api.token}` };
  let turn = 0;
  const next = () => ids[turn++ % ids.length]!;
  const { ofBare, ofApi } = harness.servers;
  const bare = () =>
    costOfCalls(() => ({ method: 'GET', url: `${harness.bareUrl}/payment/${next()}` }), SECONDS, ofBare);
  const own = () =>
    costOfCalls(() => ({ method: 'GET', url: `${harness.api.url}/api/payments/${next()}`, headers }), SECONDS, ofApi);
  await bare();
  await own();
  reportComparison('authenticated read', await compareCosts(bare, own, ROUNDS), { rate: 0.5, cpu: 2 });
} finally {
  await harness.close();
}
