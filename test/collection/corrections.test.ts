import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/kernel/errors.ts';
import { type Correction, correctDebt } from '../../src/modules/collection/staff/correct-debt.ts';
import { readPayment } from '../../src/modules/payments/use-cases/read-payment.ts';
import { ask } from '../../testing/database.ts';
import { DAY, type GivenDebt, type MadeDebt, openEngine, somebody } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const SOURCE = { ip: '127.0.0.1', by: 'session' } as const;

const engine = await opened(openEngine());

beforeEach(engine.reset);

const newDebt = (given: GivenDebt = {}): Promise<MadeDebt> => engine.debt({ ...somebody(), ...given });

const correct = ({ clientId, id: debtId }: MadeDebt, correction: Correction) =>
  correctDebt(engine.ofApi)({ clientId, debtId, correction, source: SOURCE });
const refusalOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
const row = async (debt: MadeDebt) =>
  (
    await engine.query<{
      readonly status: string;
      readonly debtor_phone: string;
      readonly next_contact_at: Date | null;
      readonly score: number | null;
      readonly step: number;
    }>(debt, 'select * from debts where id = $1', [debt.id])
  )[0]!;
const phonesOf = async (debt: MadeDebt) =>
  (
    await engine.query<{ phone: string }>(debt, 'select phone from debt_phones where debt_id = $1 order by position', [
      debt.id,
    ])
  ).map(({ phone }) => phone);
const charges = (debt: MadeDebt) =>
  engine.query<{ status: string; amount_centavos: number; provider_payment_id: string; superseded: boolean }>(
    debt,
    `select status, amount_centavos::int, provider_payment_id, superseded_at is not null as superseded from charges
     where debt_id = $1 order by attempt`,
    [debt.id],
  );
const events = async (debt: MadeDebt, kind: string) =>
  (
    await engine.query<{ data: Record<string, unknown> }>(
      debt,
      'select data from debt_events where debt_id = $1 and kind = $2 order by seq',
      [debt.id, kind],
    )
  ).map(({ data }) => data);
const signals = async (debt: MadeDebt) =>
  (
    await engine.query<{ signal: string }>(
      debt,
      'select signal from outbox where workflow_id = $1 and delivered_at is null',
      [`collection-${debt.id}`],
    )
  ).map(({ signal }) => signal);
/** The debtor pays a code at the simulated bank. */
const payCode = (debt: MadeDebt, providerPaymentId: string) =>
  engine.query(
    debt,
    `update sandbox_charges set status = 'approved', paid_amount_centavos = amount_centavos, paid_at = quita_now(),
       updated_at = quita_now() where id = $1`,
    [providerPaymentId],
  );

/** The provider's notification about the debt's codes has come in. Row security also binds the owner. */
async function notice(debt: MadeDebt): Promise<void> {
  const tables = ['charges', 'payment_notifications'];
  for (const table of tables) await ask(engine.url, `alter table ${table} no force row level security`);
  await ask(
    engine.url,
    `insert into payment_notifications (client_id, charge_id, request_id)
       select client_id, id, 'r' from charges where debt_id = $1`,
    [debt.id],
  );
  for (const table of tables) await ask(engine.url, `alter table ${table} force row level security`);
}

describe('a corrected amount', () => {
  it('replaces the code, counts in the figures and stands on the timeline', async () => {
    const debt = await newDebt();
    await engine.contact(debt);
    await correct(debt, { amountCentavos: 20_000 });
    expect(await charges(debt)).toMatchObject([{ status: 'PENDING', amount_centavos: 15_075, superseded: true }]);
    expect(await signals(debt)).toEqual(['paymentNoticed']);
    await engine.services.settlePayment(engine.request(debt));
    // Until the page or a message needs another code, the payment says what that one will ask for.
    const payment = await readPayment(engine.ofApi)({ clientId: debt.clientId, debtId: debt.id });
    expect(payment).toMatchObject({ status: 'PENDING', amount: 200, brCode: null });
    expect(await engine.requests.openCheckout(debt.id)).toMatchObject({ amountCentavos: 20_000 });
    expect(await charges(debt)).toMatchObject([
      { status: 'CANCELLED', amount_centavos: 15_075 },
      { status: 'PENDING', amount_centavos: 20_000, superseded: false },
    ]);
    expect(await events(debt, 'debt_changed')).toEqual([
      { field: 'originalAmount', reason: 'corrected', from: 150.75, to: 200 },
    ]);
    expect(
      await engine.query(
        debt,
        'select sum(amount_centavos)::int as centavos from campaign_status_counts where campaign_id = $1',
        [debt.campaignId],
      ),
    ).toEqual([{ centavos: 20_000 }]);
    // The step and its moment stay.
    expect((await row(debt)).step).toBe(1);
    expect((await row(debt)).next_contact_at?.getTime()).toBeGreaterThan(engine.clock.now + DAY);
  });

  it.each([
    ['less', 20_000, 'ON_HOLD', 'payment_changed', { problem: 'underpaid', amount: 150.75, expectedAmount: 200 }],
    ['more', 10_000, 'PAID', 'payment_approved', { amount: 150.75, overpaidAmount: 50.75 }],
  ])(
    'takes an old code that was paid meanwhile and is worth %s by the rules',
    async (_, centavos, status, kind, data) => {
      const debt = await newDebt();
      await engine.contact(debt);
      const [old] = await charges(debt);
      await correct(debt, { amountCentavos: centavos });
      await payCode(debt, old!.provider_payment_id);
      await engine.services.settlePayment(engine.request(debt));
      expect(await engine.status(debt)).toBe(status);
      expect(await events(debt, kind)).toMatchObject([data]);
      expect(await refusalOf(correct(debt, { amountCentavos: 1_000 }))).toBe('debt_state');
    },
  );

  it('is settled or refused when the payment comes at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const debt = await newDebt();
      await engine.contact(debt);
      const [old] = await charges(debt);
      await payCode(debt, old!.provider_payment_id);
      await notice(debt);
      const [corrected] = await Promise.all([
        refusalOf(correct(debt, { amountCentavos: 20_000 })),
        engine.services.settlePayment(engine.request(debt)),
      ]);
      await engine.services.settlePayment(engine.request(debt));
      expect([corrected, await engine.status(debt)]).toEqual(
        corrected === 'done' ? ['done', 'ON_HOLD'] : ['debt_state', 'PAID'],
      );
    }
  });

  it('is refused when another debt is the same then', async () => {
    const { cpf } = somebody();
    const debt = await newDebt({ cpf });
    const { clientId, campaignId } = debt;
    await newDebt({ clientId, campaignId, cpf, dueDate: '2026-09-01' });
    expect(await refusalOf(correct(debt, { dueDate: '2026-09-01' }))).toBe('validation_failed');
    expect(await refusalOf(correct(debt, { dueDate: '2026-09-01', amountCentavos: 1_000 }))).toBe('done');
  });

  it('changes the score, and nothing when it is the same', async () => {
    const debt = await newDebt();
    await engine.services.scoreCampaign(debt, () => {});
    const { score } = await row(debt);
    const { debtor_phone: debtorPhone } = await row(debt);
    await correct(debt, { amountCentavos: 15_075, debtorPhone, dueDate: '2026-10-05' });
    expect(await events(debt, 'debt_changed')).toEqual([]);
    await correct(debt, { amountCentavos: 900_000 });
    expect((await row(debt)).score).not.toBe(score);
  });
});

describe('a corrected due date', () => {
  it('in the future stops contacts until the day after it', async () => {
    const debt = await newDebt({ status: 'IN_COLLECTION' });
    await correct(debt, { dueDate: '2026-12-08' });
    await engine.contact(debt);
    expect(engine.sent).toEqual([]);
    expect((await engine.verdicts(debt))[0]).toMatchObject({ allowed: false, rules: ['due'] });
    const { next_contact_at: next } = await row(debt);
    expect(next?.toISOString().slice(0, 10)).toBe('2026-12-09');
    // It was a mistake, so nobody waits for that day.
    await correct(debt, { dueDate: '2026-10-08' });
    expect((await row(debt)).next_contact_at?.getTime()).toBe(engine.clock.now);
    await engine.contact(debt);
    expect(engine.sent).toHaveLength(1);
  });
});

describe('a corrected phone', () => {
  const NEW = somebody().phone;

  it('that was never written to is replaced, and the next message goes to the new one', async () => {
    const debt = await newDebt();
    await correct(debt, { debtorPhone: NEW });
    expect(await phonesOf(debt)).toEqual([]);
    await engine.contact(debt);
    expect(engine.sent).toMatchObject([{ phone: NEW }]);
    expect(JSON.stringify(await events(debt, 'debt_changed'))).not.toMatch(/\d{4}/);
  });

  it('stays known when it was written to, so that what comes from it still belongs to the debt', async () => {
    const { phone } = somebody();
    const debt = await newDebt({ phone });
    await engine.contact(debt);
    await correct(debt, { debtorPhone: NEW });
    expect(await phonesOf(debt)).toEqual([phone, NEW]);
    expect(await signals(debt)).toContain('stateChanged');
    const [{ cause } = { cause: '' }] = await engine.query<{ cause: string }>(
      debt,
      `select payload ->> 'cause' as cause from outbox where workflow_id = $1 and signal = 'stateChanged'`,
      [`collection-${debt.id}`],
    );
    expect(cause).toBe('corrected');
    await engine.hear(debt, 'PARAR', phone);
    expect(await engine.status(debt)).toBe('OPTED_OUT');
  });

  it('goes through the gate like any other', async () => {
    const { cpf } = somebody();
    const wrong = somebody().phone;
    const ended = await newDebt({ cpf, phone: wrong });
    await engine.hear(ended, 'Não sou essa pessoa, número errado');
    expect(await engine.status(ended)).toBe('STOPPED');
    const debt = await newDebt({ cpf, clientId: ended.clientId, campaignId: ended.campaignId });
    await engine.query(debt, `update campaigns set status = 'RUNNING' where id = $1`, [debt.campaignId]);
    await correct(debt, { debtorPhone: wrong });
    engine.sent.length = 0;
    await engine.contact(debt);
    expect(engine.sent).toEqual([]);
    expect((await engine.verdicts(debt))[0]).toMatchObject({ allowed: false, rules: ['wrong_person'] });
  });
});

describe('a correction', () => {
  it('is refused for a debt that is not collected any more, and unknown to another client', async () => {
    const debt = await newDebt();
    await engine.requests.withdrawDebt({ clientId: debt.clientId, debtId: debt.id, source: SOURCE });
    expect(await refusalOf(correct(debt, { amountCentavos: 1_000 }))).toBe('debt_state');
    const stranger = await newDebt();
    expect(await refusalOf(correct({ ...debt, clientId: stranger.clientId }, { amountCentavos: 1_000 }))).toBe(
      'not_found',
    );
  });
});
