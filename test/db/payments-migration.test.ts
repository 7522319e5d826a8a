import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { ormConfig } from '../../src/platform/database/orm-config.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const BEFORE = 'Migration20261122121016_failures_of_senders';

let database: TestDatabase;
let owner: Client;
const clientId = randomUUID();

const query = async (text: string, params: unknown[] = []) => (await owner.query(text, params)).rows;

interface OldCharge {
  readonly paid: number;
  readonly refunded?: number;
  readonly chargedBack?: boolean;
  readonly kind?: 'settled' | 'duplicate' | 'part';
}

interface OldDebt {
  readonly campaignId: string;
  readonly settling: string;
}

/** Stores a paid debt of R$ 100 as the version before did, with the figure that it had counted. */
async function oldDebt(charges: readonly OldCharge[], counted: number, revoked = false): Promise<OldDebt> {
  const [campaignId, debtId, settling] = [randomUUID(), randomUUID(), randomUUID()];
  await query(`insert into campaigns (id, client_id, name, status) values ($1, $2, 'A', 'COMPLETED')`, [
    campaignId,
    clientId,
  ]);
  await query(
    `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf,
       original_amount_centavos, due_date, status)
     values ($1, $2, $3, 1, 'Ana', '+5511987654321', '52998224725', 10000, '2026-10-05', 'PAID')`,
    [debtId, clientId, campaignId],
  );
  for (const [index, { paid, refunded = 0, chargedBack = false, kind = 'settled' }] of charges.entries()) {
    await query(
      `insert into charges (id, client_id, debt_id, attempt, provider, status, amount_centavos, paid_centavos,
         refunded_centavos, charged_back_at, expires_at, approved_at, underpaid_at, duplicate, paid_at)
       values ($1, $2, $3, $4, 'mercadopago', $5, 10000, $6, $7, $8, now(), $9, $10, $11, '2026-11-09')`,
      [
        kind === 'settled' ? settling : randomUUID(),
        clientId,
        debtId,
        index + 1,
        kind === 'part' ? 'PENDING' : 'APPROVED',
        paid,
        refunded,
        chargedBack ? new Date('2026-11-12') : null,
        kind === 'part' ? null : new Date('2026-11-10T15:00:00Z'),
        kind === 'part' ? new Date('2026-11-09') : null,
        kind === 'duplicate',
      ],
    );
  }
  await query(
    `insert into campaign_days (campaign_id, client_id, day, slot, payments_approved, recovered_centavos)
     values ($1, $2, '2026-11-10', 3, 1, $3)`,
    [campaignId, clientId, counted],
  );
  if (revoked) {
    await query(
      `insert into receipts (client_id, debt_id, charge_id, protocol, facts, issued_at, revoked_at, revoked_reason)
       values ($1, $2, $3, $4, '{}', now(), now(), 'refund')`,
      [clientId, debtId, settling, `QT-${settling}`],
    );
  }
  return { campaignId, settling };
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  const orm = await MikroORM.init(
    ormConfig({ clientUrl: database.url, driverOptions: { connectionString: database.url } }),
  );
  await orm.migrator.up({ to: BEFORE });
  await orm.close(true);
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  for (const table of [
    'clients',
    'campaigns',
    'debts',
    'charges',
    'receipts',
    'campaign_days',
    'campaign_status_counts',
  ]) {
    await query(`create policy test_owner on "${table}" to current_user using (true) with check (true)`);
  }
  await query(
    `insert into clients (id, name, email, plan, status) values ($1, 'Escola', 'a@escola.com.br', 'GROWTH', 'ACTIVE')`,
    [clientId],
  );
});
afterAll(async () => {
  await owner?.end();
  await database?.drop();
});

it('brings figures, sums and receipts that are stored already in line with the payments', async () => {
  const plain = await oldDebt([{ paid: 10_000, refunded: 3_000 }], 7_000);
  const twice = await oldDebt([{ paid: 10_000 }, { paid: 10_000, kind: 'duplicate' }], 10_000);
  const firstBack = await oldDebt(
    [
      { paid: 10_000, refunded: 10_000 },
      { paid: 10_000, kind: 'duplicate' },
    ],
    0,
    true,
  );
  const bothBack = await oldDebt(
    [
      { paid: 10_000, refunded: 10_000 },
      { paid: 10_000, chargedBack: true, kind: 'duplicate' },
    ],
    0,
    true,
  );
  const parts = await oldDebt([{ paid: 4_000, refunded: 1_000, kind: 'part' }, { paid: 6_000 }], 10_000);

  await migrate(database.url);

  const recovered = async ({ campaignId }: OldDebt): Promise<Record<string, number>> =>
    Object.fromEntries(
      (
        await query(
          `select case when day = '2026-11-10' then 'before' else 'today' end as day,
             sum(recovered_centavos)::int as centavos
           from campaign_days where campaign_id = $1 group by 1`,
          [campaignId],
        )
      ).map(({ day, centavos }) => [day, centavos]),
    );
  expect(await recovered(plain)).toEqual({ before: 7_000 });
  expect(await recovered(twice)).toEqual({ before: 20_000 });
  expect(await recovered(firstBack)).toEqual({ before: 10_000 });
  expect(await recovered(bothBack)).toEqual({ before: 0 });
  expect(await recovered(parts)).toEqual({ before: 10_000, today: -1_000 });

  const settled = await query('select id, settled_centavos::int as centavos from charges where settled_centavos > 0');
  expect(new Map(settled.map(({ id, centavos }) => [id, centavos]))).toEqual(
    new Map([
      [plain.settling, 10_000],
      [twice.settling, 10_000],
      [firstBack.settling, 10_000],
      [bothBack.settling, 10_000],
      [parts.settling, 10_000],
    ]),
  );
  await query('create policy test_owner on inbox_items to current_user using (true)');
  const open = await query(`select campaign_id from inbox_items join debts on debts.id = inbox_items.debt_id
    where reason = 'duplicate' and closed_at is null`);
  expect(open).toEqual([{ campaign_id: twice.campaignId }]);
  const restored = await query('select charge_id from receipts where restored_at is not null');
  expect(restored).toEqual([{ charge_id: firstBack.settling }]);
});
