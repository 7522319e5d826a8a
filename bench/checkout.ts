/**
 * `node bench/checkout.ts`: how fast GET /api/checkout/:debtId/status answers, against bare Koa with the same query
 * (no row security, nothing checked). Goal: 0.70 or more.
 */
import { callsPerSecond, ratioOf } from './support/load.ts';
import { startPaymentsHouse } from './support/payments-house.ts';

const SECONDS = 4;
const house = await startPaymentsHouse(2_000);
try {
  const ids = house.debts;
  let turn = 0;
  const next = () => ids[turn++ % ids.length]!;
  const bare = () => callsPerSecond(() => ({ method: 'GET', url: `${house.bareUrl}/status/${next()}` }), SECONDS);
  const own = () =>
    callsPerSecond(() => ({ method: 'GET', url: `${house.api.url}/api/checkout/${next()}/status` }), SECONDS);
  await bare();
  await own();
  const { ratio, ...rates } = await ratioOf(bare, own, 5);
  process.stdout.write(
    `bare ${rates.bare.toFixed(0)}/s, own ${rates.own.toFixed(0)}/s: ${ratio.toFixed(2)} (goal 0.70)\n`,
  );
} finally {
  await house.close();
}
