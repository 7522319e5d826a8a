/** What a bank allows in a minute holds over all processes: here two, each with a database login and a token of its own. */
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { createPixProvider, type PixProvider } from '../../src/modules/payments/adapters/pix/pix-provider.ts';
import { createBankCalls } from '../../src/modules/payments/use-cases/count-bank-calls.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { opened } from '../../testing/opened.ts';

const TIMEOUT_MS = 5_000;
/** Inter allows so many in a minute. */
const TOKENS = 5;
const WEBHOOK_CALLS = 10;

const database = await opened(createTestDatabase());
const worker = await opened(openDatabase({ url: database.url, role: 'quita_worker' }));
const databases = [await opened(openDatabase({ url: database.url, role: 'quita_app' })), worker];
const bank = await opened(new FakeBank('inter').start());
const otherBank = await opened(new FakeBank('inter').start());

const startProcesses = (of: FakeBank): readonly PixProvider[] =>
  databases.map((db) =>
    createPixProvider({
      allowLoopback: true,
      banks: { inter: of.addresses },
      retryMs: 1,
      timeoutMs: TIMEOUT_MS,
      calls: createBankCalls(db),
    }),
  );
const processes = startProcesses(bank);
const others = startProcesses(otherBank);
afterAll(() => {
  for (const provider of [...processes, ...others]) provider.close();
});

/** Each kind of calls was made so much longer ago. */
const pass = (seconds: number) =>
  worker.pool.query(
    `update bank_calls set made_at = array(select at - make_interval(secs => ${seconds}) from unnest(made_at) at order by at)`,
  );
const seen = (of: FakeBank, part: string) => of.requests.filter(({ path }) => path.includes(part)).length;

/** Asks from all processes at once, and returns how often each was told to ask later. */
async function askMany(by: readonly PixProvider[], of: FakeBank, each: number): Promise<unknown[]> {
  const asked = by.flatMap((provider) =>
    Array.from({ length: each }, () => provider.notificationAddress(of.credentials())),
  );
  const refused = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const reason of refused) {
    expect(reason).toMatchObject({ kind: 'retryable', retryAfterSeconds: expect.any(Number) });
    expect(reason.retryAfterSeconds).toBeLessThanOrEqual((60_000 + TIMEOUT_MS) / 1_000);
  }
  return refused;
}

beforeEach(async () => {
  await worker.pool.query('delete from bank_calls');
  bank.requests.length = 0;
  otherBank.requests.length = 0;
});

it('is shared by all processes, in the next minute too, and by no other account', async () => {
  // At first each process asks for a token of its own.
  expect(await askMany(processes, bank, 10)).toHaveLength(20 - WEBHOOK_CALLS);
  expect([seen(bank, '/webhook/'), seen(bank, '/oauth')]).toEqual([WEBHOOK_CALLS, 2]);
  expect(await askMany(others, otherBank, 4)).toEqual([]);

  // A call may take its whole time to reach the bank, so that a minute of ours is not yet one of the bank.
  await pass(60);
  expect(await askMany(processes, bank, 1)).toHaveLength(2);
  await pass(TIMEOUT_MS / 1_000);
  expect(await askMany(processes, bank, 2)).toEqual([]);
  await pass(30);
  expect(await askMany(processes, bank, 10)).toHaveLength(20 - (WEBHOOK_CALLS - 4));
  // Only the four calls of half a minute ago have ended then.
  await pass(35);
  expect(await askMany(processes, bank, 10)).toHaveLength(20 - 4);
});

it('limits tokens of one client, whatever certificate it comes with', async () => {
  for (let count = 0; count < TOKENS; count += 1) {
    await processes[count % 2]!.checkCredentials(bank.credentials());
  }
  const renewed = bank.authority.issue('Credora Exemplo Ltda');
  for (const certificate of [bank.certificate, renewed]) {
    for (const provider of processes) {
      await expect(provider.checkCredentials(bank.credentials({ certificate }))).rejects.toMatchObject({
        kind: 'retryable',
        retryAfterSeconds: expect.any(Number),
      });
    }
  }
  expect(seen(bank, '/oauth')).toBe(TOKENS);
  // Another client of the same bank is answered, here that it is unknown.
  await expect(processes[0]!.checkCredentials(bank.credentials({ clientId: 'outro' }))).rejects.toMatchObject({
    kind: 'unauthorized',
  });
});

it('counts no more calls than allowed in any window, however many ask at once', async () => {
  const windowMs = 250;
  const most = 3;
  const taken: { readonly from: number; readonly to: number }[] = [];
  const ends = performance.now() + 6 * windowMs;
  const caller = async (calls: ReturnType<typeof createBankCalls>) => {
    while (performance.now() < ends) {
      const from = performance.now();
      if ((await calls.take('windows', { most, windowMs })) === 0) taken.push({ from, to: performance.now() });
    }
  };
  await Promise.all(databases.flatMap((db) => Array.from({ length: 4 }, () => caller(createBankCalls(db)))));
  expect(taken.length).toBeGreaterThan(most);
  for (const { from } of taken) {
    const within = taken.filter((one) => one.from >= from && one.to < from + windowMs);
    expect(within.length).toBeLessThanOrEqual(most);
  }
});

it('is not used up by one token that ends while many calls are made', async () => {
  const fresh = startProcesses(bank).slice(0, 1);
  try {
    // Its life is shorter than the margin, so that it has ended for us when the next calls come.
    bank.tokenSeconds = 20;
    await fresh[0]!.notificationAddress(bank.credentials());
    bank.tokenSeconds = 3_600;
    bank.requests.length = 0;
    expect(await askMany(fresh, bank, 8)).toEqual([]);
    expect(seen(bank, '/oauth')).toBe(1);
  } finally {
    for (const provider of fresh) provider.close();
  }
});
