import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ReportedState } from '../../src/modules/debts/rules/debt-payments.ts';
import { createReceiptLinks } from '../../src/modules/messaging/use-cases/receipt-links.ts';
import type { ProviderCharge } from '../../src/modules/payments/ports/payment-provider.ts';
import { applyAnswer } from '../../src/modules/payments/use-cases/apply-answer.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { issueReceipt } from '../../src/modules/receipts/use-cases/issue-receipt.ts';
import { restateReceipts } from '../../src/modules/receipts/use-cases/restate-receipts.ts';
import { restoreReceipt, revokeReceipt } from '../../src/modules/receipts/use-cases/revoke-receipt.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Tx } from '../../src/platform/database/tx.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import { Bank, balanceOf, carryOut, DEBT, deed, IDS, type Id } from '../../testing/bank.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { createClient } from '../../testing/factories.ts';
import { opened } from '../../testing/opened.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

const now = () => new Date();
const policy = loadPolicy();
const deps = () => ({
  db,
  now,
  workflows: createCollectionWorkflows({ sandboxMaxWaitMs: 300 }),
  receipts: { revoke: revokeReceipt, restore: restoreReceipt, restate: restateReceipts({ policy }) },
  policy,
});
const inClient = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.tenant(clientId).transactional(work);
const query = <Row extends object>(text: string, params: readonly unknown[]): Promise<Row[]> =>
  inClient((tx) => runInTransaction<Row>(tx, text, params));

const database = await opened(createTestDatabase());
const db = await opened(openDatabase({ url: database.url, role: 'quita_worker' }));
const api = await openDatabase({ url: database.url, role: 'quita_app' });
const clientId: string = (await createClient(api)).id;
await api.close();

/** One row of a debt, in a campaign of its own. */
interface Row {
  readonly debtId: string;
  readonly campaignId: string;
}

interface OneDebt {
  readonly rows: readonly [Row, Row];
  /** Two charges of each row. */
  readonly charges: ReadonlyMap<Id, { readonly chargeId: string; readonly row: Row }>;
}

let nextPosition = 1;

/** Creates a debt that was imported again after its end, with codes of both rows that somebody may still pay. */
async function newDebt(): Promise<OneDebt> {
  const identityId = randomUUID();
  const current = randomUUID();
  const newRow = async (debtId: string, status: string, continuedBy: string | null): Promise<Row> => {
    const campaignId = randomUUID();
    await query(`insert into campaigns (id, client_id, name, status, sandbox) values ($1, $2, 'A', 'RUNNING', false)`, [
      campaignId,
      clientId,
    ]);
    await query(
      `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status, identity_id, continued_by)
       values ($1, $2, $3, $4, 'Ana Souza', '+5511987654321', '52998224725', $5, '2026-10-05', $6, $7, $8)`,
      [debtId, clientId, campaignId, nextPosition++, DEBT, status, identityId, continuedBy],
    );
    return { campaignId, debtId };
  };
  const rows = [
    await newRow(randomUUID(), 'EXHAUSTED', current),
    await newRow(current, 'IN_COLLECTION', null),
  ] as const;
  const charges = new Map<Id, { chargeId: string; row: Row }>();
  for (const [index, id] of IDS.entries()) {
    const row = rows[index < 2 ? 0 : 1];
    const chargeId = randomUUID();
    await query(
      `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
         amount_centavos, expires_at)
       values ($1, $2, $3, $4, 'mercadopago', $1::uuid::text, $1::uuid::text, 'PENDING', $5, now() + interval '3 days')`,
      [chargeId, clientId, row.debtId, index + 1, DEBT],
    );
    charges.set(id, { chargeId, row });
  }
  return { rows, charges };
}

const reportOf = (
  chargeId: string,
  { paidCentavos, refundedCentavos, chargedBack, at }: ReportedState,
): ProviderCharge => ({
  providerPaymentId: chargeId,
  status: chargedBack || refundedCentavos >= paidCentavos ? 'CANCELLED' : 'APPROVED',
  rawStatus: 'any',
  statusDetail: null,
  amountCentavos: DEBT,
  paidAmountCentavos: paidCentavos,
  refundedCentavos,
  currency: 'BRL',
  externalReference: chargeId,
  paidAt: null,
  endToEndId: null,
  expiresAt: null,
  updatedAt: at === null ? null : new Date(at),
  chargedBack,
  instruments: [],
  settlements: [],
  reversals: [],
});

const hear = (debt: OneDebt, id: Id, state: ReportedState) => {
  const { chargeId, row } = debt.charges.get(id)!;
  return applyAnswer(deps(), { clientId, debtId: row.debtId, chargeId }, reportOf(chargeId, state), () => Date.now());
};

const issue = (debtId: string) =>
  issueReceipt({
    ...deps(),
    receiptLinks: createReceiptLinks({ secrets: ['a'.repeat(32)], publicUrl: 'http://localhost' }),
    renderer: { render: async () => ({ bytes: new Uint8Array(8), sha256: 'a'.repeat(64) }) },
  })({ clientId, debtId });

const recovered = async ({ rows }: OneDebt): Promise<{ centavos: number; approved: number }> => {
  const [figures] = await query<{ centavos: number; approved: number }>(
    `select coalesce(sum(recovered_centavos), 0)::int as centavos, coalesce(sum(payments_approved), 0)::int as approved
     from campaign_days where campaign_id = any($1::uuid[])`,
    [rows.map(({ campaignId }) => campaignId)],
  );
  return figures!;
};

const receiptsOf = ({ rows }: OneDebt) =>
  query<{ protocol: string; valid: boolean }>(
    `select protocol, revoked_at is null or restored_at is not null as valid from receipts where debt_id = any($1::uuid[])`,
    [rows.map(({ debtId }) => debtId)],
  );

const statusesOf = async ({ rows }: OneDebt): Promise<string[]> => {
  const debtIds = rows.map(({ debtId }) => debtId);
  const found = await query<{ status: string }>('select status from debts where id = any($1::uuid[])', [debtIds]);
  return found.map(({ status }) => status);
};

describe('the payments of a debt with two rows', () => {
  it('leave figures, statuses and receipt as the bank’s money says, after every sequence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 25 }), fc.boolean(), async (deeds, issuedEarly) => {
        const bank = new Bank();
        const debt = await newDebt();
        const heard = new Map<Id, number>();
        let protocol: string | undefined;

        const hearAndCheck = async (id: Id, version: number): Promise<void> => {
          await hear(debt, id, bank.payments.get(id)!.states[version]!);
          heard.set(id, Math.max(heard.get(id) ?? 0, version));
          const seen = [...heard].map(([one, newest]) => {
            const { amount, balances } = bank.payments.get(one)!;
            return { amount, balance: balances[newest]! };
          });
          const settled = (await statusesOf(debt)).every((status) => status === 'PAID');
          const inBank = seen.reduce((sum, { balance }) => sum + balance, 0);
          expect(await recovered(debt)).toEqual({ centavos: settled ? inBank : 0, approved: settled ? 1 : 0 });
          if (!settled) {
            expect(seen.reduce((sum, { balance }) => sum + balance, 0)).toBeLessThan(DEBT);
            return;
          }
          if (issuedEarly) protocol ??= (await issue(debt.rows[0].debtId))?.receipt.protocol;
          const covered = seen.filter(({ balance }) => balance > 0).reduce((sum, { amount }) => sum + amount, 0);
          const receipts = await receiptsOf(debt);
          expect(receipts).toEqual(issuedEarly ? [{ protocol, valid: covered >= DEBT }] : []);
        };

        for (const one of deeds) {
          if (one.kind !== 'hear') carryOut(bank, one);
          else if (bank.payments.has(one.id)) {
            await hearAndCheck(one.id, one.which % bank.payments.get(one.id)!.states.length);
          }
        }
        for (const [id, { states }] of bank.payments) await hearAndCheck(id, states.length - 1);
        const settled = (await statusesOf(debt)).includes('PAID');
        const inBank = [...bank.payments.values()].reduce((sum, payment) => sum + balanceOf(payment), 0);
        expect((await recovered(debt)).centavos).toBe(settled ? inBank : 0);
        // A receipt that is issued at the end is the same, and as valid, as one that was issued at once.
        if (!settled) return;
        const standing = [...bank.payments.values()].filter((payment) => balanceOf(payment) > 0);
        const valid = standing.reduce((sum, { amount }) => sum + amount, 0) >= DEBT;
        const late = await issue(debt.rows[1].debtId);
        expect(await receiptsOf(debt)).toEqual([{ protocol: protocol ?? late?.receipt.protocol, valid }]);
      }),
      {
        numRuns: 60,
        examples: [
          // The second payment stands when the first goes back; a chargeback is won; the last money goes back.
          [
            [
              { kind: 'pay', id: 'a', amount: DEBT },
              { kind: 'hear', id: 'a', which: 0 },
              { kind: 'pay', id: 'c', amount: DEBT },
              { kind: 'hear', id: 'c', which: 0 },
              { kind: 'refund', id: 'a', part: 1 },
              { kind: 'hear', id: 'a', which: 1 },
              { kind: 'chargeBack', id: 'c' },
              { kind: 'hear', id: 'c', which: 1 },
              { kind: 'reverse', id: 'c' },
              { kind: 'hear', id: 'c', which: 2 },
              { kind: 'hear', id: 'c', which: 1 },
              { kind: 'refund', id: 'c', part: 1 },
              { kind: 'hear', id: 'c', which: 3 },
            ],
            true,
          ],
        ],
      },
    );
  });

  it('settle it once when both rows are paid at the same moment', async () => {
    const state = { paidCentavos: DEBT, refundedCentavos: 0, chargedBack: false, at: 1_000 };
    for (let times = 0; times < 15; times += 1) {
      const debt = await newDebt();
      await Promise.all([hear(debt, 'c', state), hear(debt, 'a', state), hear(debt, 'd', state)]);
      expect(await statusesOf(debt)).toEqual(['PAID', 'PAID']);
      expect(await recovered(debt)).toEqual({ centavos: 3 * DEBT, approved: 1 });
    }
  });

  it('are held on the row that is collected now when a part comes by the row that has ended', async () => {
    const debt = await newDebt();
    const part = { refundedCentavos: 0, chargedBack: false, at: 1_000 };
    await hear(debt, 'a', { ...part, paidCentavos: 4_000 });
    const rows = await query<{ id: string; status: string; paid: number }>(
      `select debts.id, debts.status, coalesce(sum(paid_centavos), 0)::int as paid from debts
       left join charges on charges.debt_id = debts.id where debts.id = any($1::uuid[]) group by 1 order by status`,
      [debt.rows.map(({ debtId }) => debtId)],
    );
    expect(rows).toEqual([
      { id: debt.rows[0].debtId, status: 'EXHAUSTED', paid: 4_000 },
      { id: debt.rows[1].debtId, status: 'ON_HOLD', paid: 0 },
    ]);
    await hear(debt, 'c', { ...part, paidCentavos: 6_000 });
    expect(await statusesOf(debt)).toEqual(['PAID', 'PAID']);
    expect(await recovered(debt)).toEqual({ centavos: 10_000, approved: 1 });
    expect((await issue(debt.rows[0].debtId))?.facts.payment).toMatchObject({
      amountCentavos: 10_000,
      earlier: [{ amountCentavos: 4_000, method: 'pix' }],
    });
  });
});
