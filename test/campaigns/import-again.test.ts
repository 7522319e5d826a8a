import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { importDebts } from '../../src/modules/campaigns/import/import-debts.ts';
import { importJson } from '../../src/modules/campaigns/import/import-json.ts';
import { settleDebt } from '../../src/modules/payments/use-cases/settle-debt.ts';
import { debtInput } from '../../testing/debts.ts';
import { type MadeDebt, openEngine } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';
import { SOURCE } from '../../testing/source.ts';
import { COMPANY_ADDRESS } from '../../testing/verified-company.ts';

const engine = await opened(openEngine());

/** Several phones, so that an import also writes to the table of the phones. */
const BILL = debtInput(1, { debtorPhone: undefined, debtorPhones: ['+5511980001234', '+5511980009999'] });

interface ImportedBill {
  readonly bill: MadeDebt;
  /** Another running campaign of the client. */
  readonly other: MadeDebt;
}

const bring = ({ clientId, campaignId }: MadeDebt) =>
  importJson(importDebts(engine.ofApi))({
    clientId,
    campaignId,
    checkOnly: false,
    source: SOURCE,
    bytes: Buffer.from(JSON.stringify({ clientId, debts: [BILL] })),
  });

async function importedBill(): Promise<ImportedBill> {
  const first = await engine.debt();
  await engine.query(first, 'update clients set address = $2, email_confirmed_at = quita_now() where id = $1', [
    first.clientId,
    JSON.stringify(COMPANY_ADDRESS),
  ]);
  await bring(first);
  const [stored] = await engine.query<{ id: string }>(first, 'select id from debts where debtor_tax_id = $1', [
    BILL.debtorCpf,
  ]);
  const other = await engine.debt({ clientId: first.clientId, cpf: '11144477735' });
  return { bill: { ...first, id: stored!.id }, other };
}

const end = (debt: MadeDebt, status = 'EXHAUSTED') =>
  engine.query(debt, 'update debts set status = $2 where id = $1', [debt.id, status]);

/** The rows of the bill, the earlier one first: by the clock of the engine they are of one moment. */
const rowsOf = (debt: MadeDebt) =>
  engine.query<{ id: string; status: string; due_date: string; terms_id: string | null }>(
    debt,
    'select id, status, due_date, terms_id from debts where debtor_tax_id = $1 order by id <> $2',
    [BILL.debtorCpf, debt.id],
  );

/** Imports the bill again. The other change is committed after the comparison, before the new debts are stored. */
async function importBeside({ bill, other }: ImportedBill, change: () => Promise<unknown>) {
  const isStored = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  // Stands for the seconds in which the other debts of a large file are stored.
  const lock = engine.db.tenant(bill.clientId).transactional(async (tx) => {
    await runInTransaction(tx, 'lock table debt_phones in share mode');
    isLocked.resolve();
    await isStored.promise;
  });
  await isLocked.promise;
  const imported = bring(other);
  await until('the import stores its debts', async () => {
    const waiting = await engine.query(
      bill,
      `select from pg_locks where relation = 'debt_phones'::regclass and not granted`,
    );
    return waiting.length > 0;
  });
  await change();
  isStored.resolve();
  await lock;
  return imported;
}

const settle = settleDebt({ ...engine.deps.payments, db: engine.ofApi.db });

const pay = ({ clientId, id: debtId }: MadeDebt) =>
  settle({
    clientId,
    debtId,
    paymentId: randomUUID(),
    amountCentavos: 15_075,
    paidAt: new Date(engine.clock.now),
    method: 'pix',
    note: null,
    rest: null,
    source: SOURCE,
  });

describe('an import of a bill that has ended', () => {
  it.each(['EXHAUSTED', 'UNREACHABLE', 'STOPPED'])('skips it where it is paid meanwhile: %s', async (status) => {
    const { bill, other } = await importedBill();
    await end(bill, status);
    const result = await importBeside({ bill, other }, () => pay(bill));
    expect(result).toMatchObject({ imported: 0, skipped: 1, errors: [{ code: 'duplicate' }] });
    expect(await rowsOf(bill)).toMatchObject([{ id: bill.id, status: 'PAID' }]);
  });

  it('skips it where it is paid meanwhile while another bill of the client has ended', async () => {
    const { bill, other } = await importedBill();
    await end(bill);
    await engine.debt({ clientId: bill.clientId, cpf: '39053344705', status: 'EXHAUSTED' });
    const result = await importBeside({ bill, other }, () => pay(bill));
    expect(result).toMatchObject({ imported: 0, skipped: 1 });
    expect(await rowsOf(bill)).toMatchObject([{ id: bill.id, status: 'PAID' }]);
  });

  it('skips it where it is resumed meanwhile', async () => {
    const { bill, other } = await importedBill();
    await end(bill);
    const result = await importBeside({ bill, other }, () =>
      engine.requests.resumeDebt({ clientId: bill.clientId, debtId: bill.id, source: SOURCE }),
    );
    expect(result).toMatchObject({ imported: 0, skipped: 1 });
    expect(await rowsOf(bill)).toMatchObject([{ id: bill.id, status: 'IN_COLLECTION' }]);
  });

  it('skips it where it is paid meanwhile although a bill that is like it has ended later', async () => {
    const { bill, other } = await importedBill();
    await end(bill);
    const like = await engine.debt({ clientId: bill.clientId, cpf: BILL.debtorCpf, status: 'EXHAUSTED' });
    const result = await importBeside({ bill, other }, () => pay(bill));
    expect(result).toMatchObject({ imported: 0, skipped: 1 });
    expect(await rowsOf(bill)).toMatchObject([
      { id: bill.id, status: 'PAID' },
      { id: like.id, status: 'EXHAUSTED' },
    ]);
  });

  it('continues it where nothing happens meanwhile', async () => {
    const { bill, other } = await importedBill();
    await end(bill);
    expect(await importBeside({ bill, other }, async () => {})).toMatchObject({ imported: 1, skipped: 0 });
    expect(await rowsOf(bill)).toMatchObject([{ status: 'EXHAUSTED' }, { status: 'QUEUED' }]);
  });
});

describe('terms of a bill that is imported again after a correction of its due date', () => {
  const startTerms = (debt: MadeDebt, effectiveFrom: string) =>
    engine.ofApi.db.tenant(debt.clientId).transactional((tx) =>
      runInTransaction<{ id: string }>(
        tx,
        `insert into late_payment_terms (client_id, version, effective_from, fine_basis_points, interest_kind,
           interest_basis_points, correction, grace_days, business_day_shift, clause)
         values ($1, (select count(*) + 1 from late_payment_terms where client_id = $1), $2, 200, 'monthly', 100, 'none',
           0, false, 'Cláusula quinta do contrato')
         returning id`,
        [debt.clientId, effectiveFrom],
      ),
    );
  const correctDueDate = (debt: MadeDebt, dueDate: string) =>
    engine.query(
      debt,
      `update debts set due_date = $2, imported_due_date = due_date, imported_amount_centavos = original_amount_centavos
       where id = $1`,
      [debt.id, dueDate],
    );

  it('are those of the corrected due date', async () => {
    const { bill, other } = await importedBill();
    const [earlier] = await startTerms(bill, '2026-01-01');
    await startTerms(bill, '2026-08-01');
    await correctDueDate(bill, '2026-06-10');
    await end(bill);
    expect(await bring(other)).toMatchObject({ imported: 1 });
    expect((await rowsOf(bill))[1]).toMatchObject({ due_date: '2026-06-10', terms_id: earlier?.id });
  });

  it('are none where the bill was due before all versions', async () => {
    const { bill, other } = await importedBill();
    await startTerms(bill, '2026-08-01');
    await correctDueDate(bill, '2026-06-10');
    await end(bill);
    expect(await bring(other)).toMatchObject({ imported: 1 });
    expect((await rowsOf(bill))[1]).toMatchObject({ due_date: '2026-06-10', terms_id: null });
  });

  it('are those of the file where it says another due date than before', async () => {
    const { bill, other } = await importedBill();
    const [later] = await startTerms(bill, '2026-08-01');
    await correctDueDate(bill, '2026-06-10');
    await engine.query(bill, `update debts set imported_due_date = '2026-09-05' where id = $1`, [bill.id]);
    await end(bill);
    expect(await bring(other)).toMatchObject({ imported: 1 });
    expect((await rowsOf(bill))[1]).toMatchObject({ due_date: '2026-10-05', terms_id: later?.id });
  });

  it('wait for the launch in a draft', async () => {
    const { bill, other } = await importedBill();
    await startTerms(bill, '2026-01-01');
    await correctDueDate(bill, '2026-06-10');
    await end(bill);
    await engine.query(
      other,
      `update campaigns set status = 'DRAFT', launched_at = null, sandbox = null where id = $1`,
      [other.campaignId],
    );
    expect(await bring(other)).toMatchObject({ imported: 1 });
    expect((await rowsOf(bill))[1]).toMatchObject({ due_date: '2026-06-10', terms_id: null });
  });
});
