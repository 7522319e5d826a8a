import { composePayments } from '../../src/app/compose/collection.ts';
import { createMercadoPagoProvider } from '../../src/modules/payments/adapters/mercadopago/mercadopago-provider.ts';
import { PaymentProviderError, type ProviderCharge } from '../../src/modules/payments/ports/payment-provider.ts';
import type { ChargeOrigin, PaymentDeps } from '../../src/modules/payments/use-cases/deps.ts';
import { loadConfig, SECRET_NAMES } from '../../src/platform/config/index.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { createClient } from '../../testing/factories.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

const MINUTE = 60_000;
const AMOUNT = 15_075;
const SECRETS = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));

const FILL = `
  with campaign as (insert into campaigns (client_id, name, status) values ($1, 'A', 'RUNNING') returning id),
  made as (
    insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
      original_amount_centavos, due_date, status)
    select $1, campaign.id, n, 'Ana', '+5511987654321', '52998224725', ${AMOUNT}, '2026-10-05', 'IN_COLLECTION'
    from campaign, generate_series(1, $2::int) n returning id
  )
  insert into charges (id, client_id, debt_id, attempt, provider, account_id, provider_payment_id, provider_payment_key,
    status, amount_centavos, br_code, expires_at, created_at, ask_at)
  select one.id, $1, made.id, 1, 'mercadopago', $3, one.id, one.id, 'PENDING', ${AMOUNT}, 'code',
    $4::timestamptz + interval '3 days', $4, $5
  from made, lateral (select gen_random_uuid() as id where made.id is not null) one returning id, debt_id as "debtId"`;

export interface StoredCharge {
  readonly id: string;
  readonly debtId: string;
}

/** Returns what the provider answers about a charge; a rejected promise is a failure. */
export type Answer = (question: { readonly id: string } & ChargeOrigin) => Promise<Partial<ProviderCharge>>;

export const failure = (kind: PaymentProviderError['kind'], options = {}) =>
  new PaymentProviderError(kind, `the provider: ${kind}`, options);

/** A database with charges that are due, and a provider whose answers the test gives. It runs no server. */
export async function startDueCharges() {
  const database = await createTestDatabase();
  const db: Database = await openDatabase({ url: database.url, role: 'quita_worker', poolSize: 20 });
  const config = loadConfig({ NODE_ENV: 'test', ...SECRETS }, { roles: ['worker'] });
  const composed = composePayments(config, db, createCollectionWorkflows({ sandboxMaxWaitMs: 300 }), () => null);
  const asked: ({ readonly id: string } & ChargeOrigin)[] = [];

  /** Every question is noted before it is answered. */
  function deps(answer: Answer, laterMs = 0): PaymentDeps {
    const question = async (id: string, { clientId, provider, accountId }: ChargeOrigin): Promise<ProviderCharge> => {
      const about = { id, clientId, provider, accountId };
      asked.push(about);
      const given = await answer(about);
      return {
        providerPaymentId: id,
        status: 'PENDING',
        rawStatus: 'pending',
        statusDetail: null,
        amountCentavos: AMOUNT,
        paidAmountCentavos: given.status === 'APPROVED' ? AMOUNT : 0,
        refundedCentavos: 0,
        currency: 'BRL',
        externalReference: id,
        paidAt: null,
        endToEndId: null,
        expiresAt: null,
        updatedAt: null,
        chargedBack: false,
        instruments: [],
        settlements: [],
        reversals: [],
        ...given,
      };
    };
    return {
      ...composed,
      now: () => new Date(Date.now() + laterMs),
      accountOf: async (origin) => ({
        credentials: { kind: 'token', accessToken: 'token' },
        accountId: origin.accountId,
        provider: {
          ...createMercadoPagoProvider({ baseUrl: 'http://127.0.0.1:9' }),
          getCharge: (id) => question(id, origin),
          cancelCharge: (id) => question(id, origin),
        },
      }),
    };
  }

  return {
    db,
    deps,
    /** The questions so far, in their order. */
    asked,
    /** Adds a client, whose account the charges of `charges` use. */
    async client(account: string | null = 'A'): Promise<string> {
      const { id } = await createClient(db);
      if (account !== null) await this.connect(id, account);
      return id;
    },
    connect: (clientId: string, account: string) =>
      db.tenant(clientId).transactional((tx) =>
        runInTransaction(
          tx,
          `insert into client_credentials (client_id, purpose, sealed, account_id, replaced_at)
             values ($1, 'mercadopago', 'sealed', $2, case when exists (select from client_credentials) then now() end)`,
          [clientId, account],
        ),
      ),
    /** Adds charges that are due since `dueMs` before now. */
    charges: (
      clientId: string,
      count: number,
      given: { readonly account?: string | null; readonly dueMs?: number; readonly ageMs?: number } = {},
    ): Promise<StoredCharge[]> => {
      const { account = 'A', dueMs = MINUTE, ageMs = 30 * MINUTE } = given;
      const now = Date.now();
      return db
        .tenant(clientId)
        .transactional((tx) =>
          runInTransaction(tx, FILL, [clientId, count, account, new Date(now - ageMs), new Date(now - dueMs)]),
        );
    },
    /** Runs a query of one client. */
    query: <Row extends object>(clientId: string, text: string, params: readonly unknown[] = []) =>
      db.tenant(clientId).transactional((tx) => runInTransaction<Row>(tx, text, params)),
    /** Empties the queue, so that the charges of one test are not due in the next one. */
    async clear(): Promise<void> {
      asked.length = 0;
      const { rows } = await db.pool.query<{ id: string }>('select id from clients');
      for (const { id } of rows) await this.query(id, 'update charges set ask_at = null where ask_at is not null');
    },
    async close(): Promise<void> {
      await db.close();
      await database.drop();
    },
  };
}

export type DueCharges = Awaited<ReturnType<typeof startDueCharges>>;
