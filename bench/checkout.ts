/**
 * `node bench/checkout.ts` measures the rate of GET /api/checkout/:debtId/status against bare Koa with the same query
 * (without row security and checks). The goal is 0.70 or more.
 */
import { callsPerSecond, ratioOf } from './support/load.ts';
import { startPaymentsHarness } from './support/payments-harness.ts';

const SECONDS = 4;
const harness = await startPaymentsHarness(2_000);
try {
  const ids = harness.debts;
  let turn = 0;
  const next = () => ids[turn++ % ids.length]!;
  const bare = () => callsPerSecond(() => ({ method: 'GET', url: `${harness.bareUrl}/status/${next()}` }), SECONDS);
  const own = () =>
    callsPerSecond(() => ({ method: 'GET', url: `${harness.api.url}/api/checkout/${next()}/status` }), SECONDS);
  await bare();
  await own();
  const { ratio, ...rates } = await ratioOf(bare, own, 5);
  process.stdout.write(
    `bare ${rates.bare.toFixed(0)}/s, own ${rates.own.toFixed(0)}/s: ${ratio.toFixed(2)} (goal 0.70)\n`,
  );
} finally {
  await harness.close();
}
