import { afterEach, describe, expect, it } from '@jest/globals';
import { findOrMakeCharge } from '../../src/modules/payments/use-cases/find-or-make-charge.ts';
import { reconcileCharges } from '../../src/modules/payments/use-cases/reconcile-charges.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { startRealApp } from './real-provider.ts';
import { type Debtor, newDebt, readPayment, timelineOf } from './support.ts';

const DAY = 24 * 3_600_000;
/** Long enough for the second caller to begin while the first one waits for the provider. */
const SLOW_MS = 1_500;

const real = await opened(startRealApp({ roles: ['api'] }));

afterEach(() => {
  real.provider.clearFaults();
  real.provider.slowWrites(0);
});

const made = ({ client }: Debtor) =>
  [...real.provider.payments.values()].filter(({ notification_url }) => notification_url.includes(client.id));
const charges = ({ id }: Debtor) =>
  real.app.query<{ status: string; ask_at: Date | null; provider_payment_id: string | null; br_code: string | null }>(
    'select * from charges where debt_id = $1 order by attempt',
    [id],
  );

/** A first caller waits for the provider when the amount changes and a second caller needs a code. */
async function changeDuringRequest(): Promise<{ debtor: Debtor; first: Promise<unknown>; second: Promise<unknown> }> {
  const debtor = await newDebt(real.app);
  const request = { clientId: debtor.client.id, debtId: debtor.id };
  const before = real.provider.requests.length;
  real.provider.slowWrites(SLOW_MS);
  const first = findOrMakeCharge(real.worker.deps())(request);
  await until('the first request is under way', () => real.provider.requests.length > before);
  await real.app.query('update debts set original_amount_centavos = 5000 where id = $1', [debtor.id]);
  return { debtor, first, second: findOrMakeCharge(real.worker.deps())(request) };
}

describe('a charge that is replaced while the provider makes it', () => {
  it('is cancelled at the provider, and both callers get the new code', async () => {
    const { debtor, first, second } = await changeDuringRequest();
    const codes = await Promise.all([first, second]);
    expect(codes).toEqual([codes[1], codes[1]]);
    expect(codes[1]).toMatchObject({ amountCentavos: 5_000 });
    expect(made(debtor).map(({ transaction_amount, status }) => [transaction_amount, status])).toEqual([
      [150.75, 'cancelled'],
      [50, 'pending'],
    ]);
    expect(await charges(debtor)).toMatchObject([
      { status: 'CANCELLED', ask_at: null, br_code: null },
      { status: 'PENDING', br_code: made(debtor)[1]?.point_of_interaction.transaction_data.qr_code },
    ]);
    expect((await readPayment(debtor)).amount).toBe(50);
    expect((await timelineOf(debtor)).filter(({ kind }) => kind === 'charge_created')).toHaveLength(1);
  });

  it('is cancelled by the reconciliation when the provider is down at that moment', async () => {
    const { debtor, first, second } = await changeDuringRequest();
    real.provider.failWhere(({ method }) => method === 'PUT', { kind: 'answer', status: 503 });
    await Promise.all([first, second]);
    expect(made(debtor)[0]?.status).toBe('pending');
    expect((await charges(debtor))[0]?.ask_at).not.toBeNull();

    real.provider.clearFaults();
    await reconcileCharges(real.worker.deps(60_000))();
    expect(made(debtor).map(({ status }) => status)).toEqual(['cancelled', 'pending']);
    expect((await charges(debtor))[0]).toMatchObject({ status: 'CANCELLED', ask_at: null });
  });

  it('ends without a question when the provider has never made it', async () => {
    const debtor = await newDebt(real.app);
    const request = { clientId: debtor.client.id, debtId: debtor.id };
    real.provider.failNext(...Array.from({ length: 3 }, () => ({ kind: 'answer', status: 429 }) as const));
    await expect(findOrMakeCharge(real.worker.deps())(request)).rejects.toThrow('429');
    await real.app.query('update charges set retry_at = null where debt_id = $1', [debtor.id]);
    await real.app.query('update debts set original_amount_centavos = 5000 where id = $1', [debtor.id]);
    expect(await findOrMakeCharge(real.worker.deps())(request)).toMatchObject({ amountCentavos: 5_000 });
    expect(await charges(debtor)).toMatchObject([
      { status: 'CANCELLED', provider_payment_id: null, ask_at: null },
      { status: 'PENDING' },
    ]);
    const before = real.provider.requests.length;
    await reconcileCharges(real.worker.deps(DAY))();
    expect(real.provider.requests.slice(before).map(({ path }) => path)).not.toContain('/v1/payments/null');
  });
});

describe('a charge that one caller could not make and another one could', () => {
  it('is open, because the provider has made it', async () => {
    const debtor = await newDebt(real.app);
    const request = { clientId: debtor.client.id, debtId: debtor.id };
    const before = real.provider.requests.length;
    real.provider.slowWrites(SLOW_MS);
    const first = findOrMakeCharge(real.worker.deps())(request);
    await until('the first request is under way', () => real.provider.requests.length > before);
    real.provider.failNext({ kind: 'answer', status: 400 });
    await expect(findOrMakeCharge(real.worker.deps())(request)).rejects.toThrow('400');
    expect(await first).toMatchObject({ amountCentavos: 15_075 });
    expect(await charges(debtor)).toMatchObject([{ status: 'PENDING' }]);
  });
});
