/**
 * `node bench/payments-read.ts` measures the rate of GET /api/payments/:debtId, authenticated and under row security,
 * against bare Koa with the same query. The goal is 0.50 or more.
 */
import { callsPerSecond, ratioOf } from './support/load.ts';
import { startPaymentsHarness } from './support/payments-harness.ts';

const SECONDS = 4;
const harness = await startPaymentsHarness(2_000);
try {
  const ids = harness.debts;
  const headers = { authorization: `Bearer ${harness.api.token}` };
  let turn = 0;
  const next = () => ids[turn++ % ids.length]!;
  const bare = () => callsPerSecond(() => ({ method: 'GET', url: `${harness.bareUrl}/payment/${next()}` }), SECONDS);
  const own = () =>
    callsPerSecond(() => ({ method: 'GET', url: `${harness.api.url}/api/payments/${next()}`, headers }), SECONDS);
  await bare();
  await own();
  const { ratio, ...rates } = await ratioOf(bare, own, 5);
  process.stdout.write(
    `bare ${rates.bare.toFixed(0)}/s, own ${rates.own.toFixed(0)}/s: ${ratio.toFixed(2)} (goal 0.50)\n`,
  );
} finally {
  await harness.close();
}
