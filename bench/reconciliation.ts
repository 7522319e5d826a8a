import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { composePayments } from '../src/app/compose/collection.ts';
import { createMercadoPagoProvider } from '../src/modules/payments/adapters/mercadopago/mercadopago-provider.ts';
import { createClientCredentials } from '../src/modules/payments/use-cases/client-credentials.ts';
import { reconcileCharges } from '../src/modules/payments/use-cases/reconcile-charges.ts';
import { createAesGcmCipher } from '../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { loadConfig } from '../src/platform/config/index.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { createCollectionWorkflows } from '../src/platform/temporal/collection-workflows.ts';
import { createClient } from '../testing/factories.ts';
import { LET_OWNER_SEE } from '../testing/owner-sees.ts';
import { sized } from './support/quick.ts';
import { type Figure, report } from './support/report.ts';
import { BENCH_SECRETS } from './support/secrets.ts';
import { startProcess } from './support/start-process.ts';

/**
 * `node bench/reconciliation.ts [charges] [clients]` measures how long the reconciliation takes to ask about all open
 * charges under a day old, 50,000 of 100 clients unless told otherwise, while another client's token is revoked and 1,500
 * of its charges are due. The goal is 15 minutes. The provider answers after 50 to 100 ms. The bare reference makes the
 * same number of calls by the same adapter, as many at the same moment, and does nothing else. A second measurement has
 * one client only.
 */

const CHARGES = Number(process.argv[2] ?? sized(50_000, 3_000));
const CLIENTS = Number(process.argv[3] ?? sized(100, 20));
const REVOKED_CHARGES = 1_500;
const CHARGES_OF_ONE_CLIENT = Math.min(6_000, CHARGES);
/** As many questions as a run asks at the same moment, in all and of one account. */
const CONCURRENT = 32;
const CONCURRENT_OF_ONE = 12;
const AMOUNT = 15_075;
const REFUSED_TOKEN = 'TEST-revoked';

const FILL = `
  with campaign as (insert into campaigns (client_id, name, status) values ($1, 'Bench', 'RUNNING') returning id),
  made as (
    insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
      original_amount_centavos, due_date, status)
    select $1, campaign.id, n, 'Maria da Silva', '+5511900000000', lpad(n::text, 11, '0'), ${AMOUNT}, '2026-10-05',
      'IN_COLLECTION'
    from campaign, generate_series(1, $2::int) n returning id
  )
  insert into charges (id, client_id, debt_id, attempt, provider, account_id, provider_payment_id, provider_payment_key,
    status, amount_centavos, br_code, created_at, expires_at, ask_at)
  select one.id, $1, made.id, 1, 'mercadopago', 'A', one.id, one.id, 'PENDING', ${AMOUNT}, 'code',
    now() - interval '2 hours', now() + interval '3 days', now() - random() * interval '1 minute'
  from made, lateral (select gen_random_uuid() as id where made.id is not null) one`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
await migrate(postgres.url);
const owner = new Client({ connectionString: postgres.url });
await owner.connect();
await owner.query(LET_OWNER_SEE);
const fake = await startProcess(new URL('./support/slow-provider.ts', import.meta.url), {
  BENCH_REFUSED_TOKEN: REFUSED_TOKEN,
  BENCH_AMOUNT: String(AMOUNT),
});
const { url: baseUrl } = fake.told as { url: string };
const config = loadConfig({
  NODE_ENV: 'test',
  ...BENCH_SECRETS,
  PAYMENT_PROVIDER: 'mercadopago',
  MERCADOPAGO_BASE_URL: baseUrl,
  MESSAGING_CHANNEL: 'whatsapp',
  WHATSAPP_VERIFY_TOKEN: 'verify-token',
});
// The size of a worker's pool.
const db = await openDatabase({ url: postgres.url, role: 'quita_worker', poolSize: 20 });
const reconcile = reconcileCharges(
  composePayments(config, db, createCollectionWorkflows({ sandboxMaxWaitMs: 300 }), () => null),
);
const credentials = createClientCredentials(db, createAesGcmCipher(config.encryptionKey));

async function fill(count: number, accessToken = 'TEST-token'): Promise<string> {
  const { id } = await createClient(db);
  await db
    .tenant(id)
    .transactional((tx) =>
      credentials.store(
        tx,
        { clientId: id, provider: 'mercadopago', accountId: 'A' },
        { kind: 'token', accessToken, webhookSecret: null },
      ),
    );
  await owner.query(FILL, [id, count]);
  return id;
}

/** Returns the calls a second. */
async function bare(calls: number, concurrent: number): Promise<number> {
  const provider = createMercadoPagoProvider({ baseUrl });
  const { rows } = await owner.query<{ id: string }>('select id from charges limit $1', [calls]);
  const next = rows.values();
  const start = performance.now();
  const work = async (): Promise<void> => {
    for (const { id } of next) await provider.getCharge(id, { kind: 'token', accessToken: 'TEST-token' });
  };
  await Promise.all(Array.from({ length: concurrent }, work));
  return calls / ((performance.now() - start) / 1_000);
}

/** Runs as the workflow does, until nothing is due; returns the seconds. */
async function own(): Promise<{ readonly seconds: number; readonly asked: number }> {
  const start = performance.now();
  let asked = 0;
  for (let more = true; more; ) {
    const run = await reconcile();
    asked += run.asked;
    more = run.more;
  }
  return { seconds: (performance.now() - start) / 1_000, asked };
}

const rateFigure = (name: string, own: number, reference: number): Figure => ({
  name,
  value: own,
  unit: '/s',
  better: 'more',
  baseline: { name: 'bare calls', value: reference },
});
const minutes = (seconds: number): string => (seconds / 60).toFixed(1);

try {
  for (let client = 0; client < CLIENTS; client += 1) await fill(Math.ceil(CHARGES / CLIENTS));
  const revoked = await fill(REVOKED_CHARGES, REFUSED_TOKEN);
  await owner.query('vacuum analyze');
  const bareRate = await bare(CHARGES, CONCURRENT);
  await owner.query(`update charges set ask_at = now() - random() * interval '1 minute'`);
  const { seconds, asked } = await own();
  const rate = asked / seconds;
  const waits = await owner.query<{ longest: number; late: number }>(
    `select max(extract(epoch from last_asked_at - (select min(last_asked_at) from charges)))::float8 as longest,
       count(*) filter (where last_asked_at is null)::int as late
     from charges where client_id <> $1`,
    [revoked],
  );
  const { longest, late } = waits.rows[0]!;
  const { refused } = (await (await fetch(`${baseUrl}/refused`)).json()) as { refused: number };
  say(
    `${asked} questions about charges of ${CLIENTS} clients in ${minutes(seconds)} minutes (goal 15), the last after ${minutes(longest)}; ${late} not asked`,
  );
  report(
    `bare ${bareRate.toFixed(0)}/s, own ${rate.toFixed(0)}/s: ${(rate / bareRate).toFixed(2)}`,
    rateFigure('reconciliation of many clients', rate, bareRate),
  );
  say(`the revoked account: ${refused} questions for ${REVOKED_CHARGES} due charges`);

  await owner.query('update charges set ask_at = null');
  await fill(CHARGES_OF_ONE_CLIENT);
  const bareOfOne = await bare(CHARGES_OF_ONE_CLIENT, CONCURRENT_OF_ONE);
  const one = await own();
  const rateOfOne = one.asked / one.seconds;
  report(
    `one client: bare ${bareOfOne.toFixed(0)}/s, own ${rateOfOne.toFixed(0)}/s: ${(rateOfOne / bareOfOne).toFixed(2)}; 50,000 charges would take ${minutes(50_000 / rateOfOne)} minutes (goal 15)`,
    rateFigure('reconciliation of one client', rateOfOne, bareOfOne),
  );
} finally {
  await db.close();
  await owner.end();
  fake.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
