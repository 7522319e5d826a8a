/**
 * `node bench/rehearsal.ts [debts]` measures how long a rehearsal takes, and what the requests beside it and the event
 * loop notice of it. The goals for 10,000 debts are 5 s, and nothing over 50 ms on the event loop.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AREA_CODES } from '../src/kernel/phone.ts';
import { cpfOf, debtInput } from '../testing/debts.ts';
import { sized } from './support/quick.ts';
import { type Figure, report } from './support/report.ts';
import { withWatchedApi } from './support/watched-api.ts';

const DEBTS = Number(process.argv[2] ?? sized(10_000, 3_000));
const ROUNDS = sized(3, 2);

await withWatchedApi(async ({ clientId, call, readLoop }) => {
  const { id: campaignId } = await call<{ id: string }>('POST', '/api/campaigns', { name: 'Bench' });
  // A third of the people have two debts, and a fiftieth share a phone, in all states.
  const debts = Array.from({ length: DEBTS }, (_, n) =>
    debtInput(n + 1, {
      debtorCpf: cpfOf(200_000_000 + (n % Math.ceil(DEBTS * 0.75))),
      debtorPhone: `+55${AREA_CODES[n % AREA_CODES.length]}9${80_000_000 + (n % 50 === 0 ? n % 500 : n)}`,
      dueDate: new Date(Date.now() - (n % 1_900) * 86_400_000).toISOString().slice(0, 10),
    }),
  );
  await call('POST', `/api/import/json/${campaignId}`, { clientId, debts });
  const light = `/api/campaigns/${campaignId}`;
  const measure = async (work: () => Promise<unknown>) => {
    const waits: number[] = [];
    let going = true;
    await readLoop();
    const asking = (async () => {
      while (going) {
        const start = performance.now();
        await call('GET', light);
        waits.push(performance.now() - start);
        await sleep(2);
      }
    })();
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1_000;
    going = false;
    await asking;
    const loop = await readLoop();
    const sorted = waits.sort((one, other) => one - other);
    return {
      seconds,
      requests: sorted.length,
      p99: sorted[Math.floor(sorted.length * 0.99)]!,
      longest: sorted.at(-1)!,
      loop,
    };
  };
  type Measured = Awaited<ReturnType<typeof measure>>;
  const tell = (what: string, { seconds, requests, p99, longest, loop }: Measured, ...figures: Figure[]): void =>
    report(
      `${what}: ${seconds.toFixed(2)} s; ${requests} other requests, p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms; event loop longest ${loop.longest.toFixed(0)} ms, p99 ${loop.p99.toFixed(0)} ms`,
      ...figures,
    );
  await measure(() => sleep(1_000));
  const idle = await measure(() => sleep(3_000));
  tell('nothing beside', idle);
  for (let round = 1; round <= ROUNDS; round++) {
    const seen = await measure(() => call('POST', `/api/campaigns/${campaignId}/rehearse`));
    const figures: Figure[] = [
      { name: 'rehearsal', value: seen.seconds, unit: 's', better: 'less', goal: { of: 'value', limit: 5 } },
      {
        name: 'longest event loop delay of a rehearsal',
        value: seen.loop.longest,
        unit: 'ms',
        better: 'less',
        goal: { of: 'value', limit: 50 },
      },
      {
        name: 'p99 of other requests during a rehearsal',
        value: seen.p99,
        unit: 'ms',
        better: 'less',
        baseline: { name: 'nothing beside', value: idle.p99 },
      },
    ];
    tell(
      `rehearsal ${round} of ${DEBTS} debts (goal: 5 s, event loop 50 ms)`,
      seen,
      ...(round === ROUNDS ? figures : []),
    );
  }
});
