import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import type { Servers } from './load.ts';
import { startProcess } from './start-process.ts';

interface ApiProcess {
  readonly url: string;
  readonly clientId: string;
  readonly token: string;
  readonly pid: number;
}

export interface PaymentsHarness {
  readonly databaseUrl: string;
  readonly api: ApiProcess;
  readonly bareUrl: string;
  readonly servers: { readonly ofBare: Servers; readonly ofApi: Servers };
  readonly owner: Client;
  readonly debts: readonly string[];
  /** The provider's ids of the charges, in the order of the debts. */
  readonly charges: readonly string[];
  close(): Promise<void>;
}

const FILL = `
  with campaign as (insert into campaigns (client_id, name, status) values ($1, 'Bench', 'DRAFT') returning id),
  debts as (
    insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
      original_amount_centavos, due_date, status)
    select $1, campaign.id, n, 'Maria da Silva', '+5511900000000', lpad(n::text, 11, '0'), 15075, '2026-10-05', 'IMPORTED'
    from campaign, generate_series(1, $2::int) n returning id
  ), charges as (
    insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
      amount_centavos, br_code, expires_at)
    select made, $1, debts.id, 1, 'sandbox', 'sbx_' || made, 'sbx_' || made, 'PENDING', 15075, 'code', now() + interval '3 days'
    from debts, lateral (select gen_random_uuid() as made where debts.id is not null) as one
    returning id, debt_id, provider_payment_id
  ), provider as (
    insert into sandbox_charges (id, idempotency_key, fingerprint, status, status_detail, amount_centavos,
      paid_amount_centavos, refunded_centavos, currency, external_reference, br_code, notification_url, end_to_end_id,
      expires_at, paid_at, updated_at, notified_at)
    select provider_payment_id, id, 'f', 'approved', 'accredited', 15075, 15075, 0, 'BRL', id, 'code', 'http://x', 'E1',
      now() + interval '3 days', now(), now(), now()
    from charges
  )
  select debt_id as debt, provider_payment_id as charge from charges`;

/** Starts a durable PostgreSQL as the product does, and the API and the bare reference in separate processes. */
export async function startPaymentsHarness(count: number): Promise<PaymentsHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
  await migrate(postgres.url);
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  const env = { BENCH_DATABASE_URL: postgres.url, PUBLIC_RATE_PER_MINUTE: '1000000' };
  const api = await startProcess(new URL('./payments-api.ts', import.meta.url), env);
  const told = api.told as ApiProcess;
  // The bare reference reads as the owner of the tables, without row security.
  await owner.query(LET_OWNER_SEE);
  const { rows } = await owner.query<{ debt: string; charge: string }>(FILL, [told.clientId, count]);
  await owner.query('vacuum analyze');
  const bare = await startProcess(new URL('./bare-koa.ts', import.meta.url), {
    ...env,
    BENCH_CLIENT_ID: told.clientId,
  });
  return {
    databaseUrl: postgres.url,
    api: told,
    bareUrl: (bare.told as { url: string }).url,
    servers: {
      ofBare: { program: (bare.told as { pid: number }).pid, database: postgres.pid() ?? 0 },
      ofApi: { program: told.pid, database: postgres.pid() ?? 0 },
    },
    owner,
    debts: rows.map((row) => row.debt),
    charges: rows.map((row) => row.charge),
    close: async () => {
      bare.stop();
      api.stop();
      await owner.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
