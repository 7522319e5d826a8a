/**
 * `node bench/bank.ts [charges]` makes and settles charges through a bank with the API Pix and through the sandbox, in
 * turns: the code of a debt, the payment, the notification, the question to the provider and the settlement. The goal is
 * 0.8 of the sandbox's rate. The bank is a process of its own on this machine, with TLS and client certificates.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { composePayments } from '../src/app/compose/collection.ts';
import type { PixCredentials } from '../src/modules/payments/ports/payment-provider.ts';
import { NOTE_PAYMENTS } from '../src/modules/payments/queries/payment-notifications.ts';
import { createClientCredentials } from '../src/modules/payments/use-cases/client-credentials.ts';
import { findOrMakeCharge } from '../src/modules/payments/use-cases/find-or-make-charge.ts';
import { settlePayment } from '../src/modules/payments/use-cases/settle-payment.ts';
import { createAesGcmCipher } from '../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { loadConfig } from '../src/platform/config/index.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { createCollectionWorkflows } from '../src/platform/temporal/collection-workflows.ts';
import { createClient } from '../testing/factories.ts';
import { LET_OWNER_SEE } from '../testing/owner-sees.ts';
import { median } from './load/statistics.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';
import { BENCH_SECRETS } from './support/secrets.ts';
import { startProcess } from './support/start-process.ts';

const CHARGES = Number(process.argv[2] ?? sized(1_000, 200));
const ROUNDS = 5;
const CONCURRENT = 16;
const MAX_WAIT_MS = 300;

const FILL = `
  with campaign as (
    insert into campaigns (client_id, name, status, sandbox) values ($1, 'Bench', 'RUNNING', $3) returning id
  )
  insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id, original_amount_centavos,
    due_date, status, sandbox)
  select $1, campaign.id, n, 'Maria da Silva', '+5511900000000', lpad(n::text, 11, '0'), 15075, '2026-10-05',
    'IN_COLLECTION', $3
  from campaign, generate_series(1, $2::int) n returning id`;

interface Told {
  readonly credentials: PixCredentials;
  readonly key: string;
  readonly payUrl: string;
}

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
await migrate(postgres.url);
const owner = new Client({ connectionString: postgres.url });
await owner.connect();
await owner.query(LET_OWNER_SEE);
const bank = await startProcess(new URL('./support/bank-process.ts', import.meta.url), {});
const { credentials, key, payUrl } = bank.told as Told;
const config = loadConfig({
  NODE_ENV: 'test',
  ...BENCH_SECRETS,
  PAYMENT_PROVIDER: 'pix',
  MESSAGING_CHANNEL: 'whatsapp',
  WHATSAPP_VERIFY_TOKEN: 'verify-token',
});
const db = await openDatabase({ url: postgres.url, role: 'quita_worker', poolSize: 20 });
// The API notes what is told.
const api = await openDatabase({ url: postgres.url, role: 'quita_app' });
const deps = composePayments(config, db, createCollectionWorkflows({ sandboxMaxWaitMs: MAX_WAIT_MS }), () => null);
const { id: clientId } = await createClient(db);
await db
  .tenant(clientId)
  .transactional((tx) =>
    createClientCredentials(db, createAesGcmCipher(config.encryptionKey)).store(
      tx,
      { clientId, provider: 'pix', accountId: key },
      credentials,
    ),
  );

const payAtBank = async (id: string): Promise<void> => {
  const { status } = await fetch(`${payUrl}/${id}`, { method: 'POST' });
  if (status !== 204) throw new Error(`the bank answered ${status}`);
};

/** Returns the charges a second. */
async function settled(count: number, sandbox: boolean): Promise<number> {
  const { rows } = await owner.query<{ id: string }>(FILL, [clientId, count, sandbox]);
  const next = rows.values();
  const clock = { at: Date.now(), offsetMs: 0, exact: false };
  const work = async (): Promise<void> => {
    for (const { id: debtId } of next) {
      const charge = await findOrMakeCharge(deps)({ clientId, debtId });
      if (charge === null) throw new Error('no charge was made');
      await (sandbox ? deps.bank.pay(charge.providerPaymentId) : payAtBank(charge.providerPaymentId));
      await api.runUnscoped(NOTE_PAYMENTS, {
        sandboxMaxWaitMs: MAX_WAIT_MS,
        paymentKeys: [charge.providerPaymentId.toLowerCase()],
        requestIds: [charge.id],
        signedRequests: [charge.id],
      });
      await settlePayment(deps)({ clientId, debtId, clock, attemptKey: charge.id });
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  const rate = count / ((performance.now() - start) / 1_000);
  const { rows: open } = await owner.query(`select 1 from debts where id = any($1) and status <> 'PAID'`, [
    rows.map(({ id }) => id),
  ]);
  if (open.length > 0) throw new Error(`${open.length} debts are not paid`);
  return rate;
}

try {
  // The first calls compile what they use.
  for (const sandbox of [true, false]) await settled(50, sandbox);
  const rounds: { readonly ofBank: number; readonly ofSandbox: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const count = Math.ceil(CHARGES / ROUNDS);
    const ofSandbox = await settled(count, true);
    rounds.push({ ofSandbox, ofBank: await settled(count, false) });
  }
  const ofBank = median(rounds.map((one) => one.ofBank));
  const ofSandbox = median(rounds.map((one) => one.ofSandbox));
  const ratio = median(rounds.map((one) => one.ofBank / one.ofSandbox));
  report(`bank ${ofBank.toFixed(1)}/s, sandbox ${ofSandbox.toFixed(1)}/s: ${ratio.toFixed(2)} (goal 0.8)`, {
    name: 'charges made and settled by a bank',
    value: ofBank,
    unit: '/s',
    better: 'more',
    baseline: { name: 'by the sandbox', value: ofSandbox },
    ratio,
    goal: { of: 'ratio', limit: 0.8 },
  });
} finally {
  await db.close();
  await api.close();
  await owner.end();
  bank.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
