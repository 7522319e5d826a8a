import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FakeBank, type Fault, MAINTENANCE } from '../../../../../testing/fake-bank/fake-bank.ts';
import { PLAYED_BANKS, type PlayedBank } from '../../../../../testing/fake-bank/quirks.ts';
import type { CreateChargeInput } from '../../ports/payment-provider.ts';
import { createPixProvider, type PixProvider } from './pix-provider.ts';

const DAY_MS = 24 * 3_600_000;
const PERSONAL = /52998224725|financeiro@|Ana Souza/;

const providerOf = (bank: FakeBank, timeoutMs = 5_000) =>
  createPixProvider({ allowLoopback: true, banks: { [bank.name]: bank.addresses }, retryMs: 1, timeoutMs });

const inputOf = (bank: FakeBank, change: Partial<CreateChargeInput> = {}): CreateChargeInput => {
  const id = randomUUID();
  return {
    idempotencyKey: id,
    externalReference: id,
    amountCentavos: 15_075,
    description: 'Fatura 42',
    payer: { firstName: 'Ana', lastName: 'Souza', taxId: { kind: 'CPF', number: '52998224725' } },
    notificationUrl: 'https://quita.example/unused',
    payable: { kind: 'until', expiresAt: new Date(Date.now() + 3 * DAY_MS) },
    credentials: bank.credentials(),
    ...change,
  };
};
const txidOf = ({ idempotencyKey }: CreateChargeInput) => idempotencyKey.replaceAll('-', '');
const times = (count: number, fault: Fault) => Array.from({ length: count }, () => fault);

it('takes no token that a bank has given to another client', async () => {
  const bank = await new FakeBank('santander').start();
  const provider = providerOf(bank);
  try {
    bank.tokenIsFor = 'somebody-else';
    await expect(provider.createCharge(inputOf(bank))).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(bank.ledger.charges.size).toBe(0);
    bank.tokenIsFor = bank.credentials().clientId;
    await provider.createCharge(inputOf(bank));
  } finally {
    provider.close();
    await bank.stop();
  }
});

describe.each(PLAYED_BANKS)('the API Pix of %s', (name: PlayedBank) => {
  let bank: FakeBank;
  let provider: PixProvider;
  beforeEach(async () => {
    bank = await new FakeBank(name).start();
    provider = providerOf(bank);
  });
  afterEach(async () => {
    provider.close();
    await bank.stop();
  });
  const input = (change: Partial<CreateChargeInput> = {}) => inputOf(bank, change);
  const paid = async (centavos?: number) => {
    const { providerPaymentId } = await provider.createCharge(input());
    const pix = bank.pay(providerPaymentId, centavos);
    return { txid: providerPaymentId, pix };
  };
  const get = (txid: string) => provider.getCharge(txid, bank.credentials());
  const calls = (method: string) => bank.requests.filter((one) => one.method === method && one.path.includes('/cob'));
  const tokenCalls = () => bank.requests.filter(({ path }) => path.startsWith('/oauth'));

  it.each<[string, Fault]>([
    ['an answer lost after the charge was made', { kind: 'lost_answer' }],
    ['500', { kind: 'answer', status: 500 }],
    ['503', { kind: 'answer', status: 503 }],
    ['409', { kind: 'answer', status: 409 }],
    ['a maintenance page with 200', MAINTENANCE],
    ['a torn answer', { kind: 'wrong_answer', status: 201, body: '{"txid":' }],
    ['a payment before the answer', { kind: 'paid_before_answer' }],
  ])('makes one charge in spite of %s', async (_what, fault) => {
    const asked = input();
    bank.failNext(fault);
    expect(await provider.createCharge(asked)).toMatchObject({
      providerPaymentId: txidOf(asked),
      instruments: [{ kind: 'pix' }],
    });
    expect([...bank.ledger.charges.keys()]).toEqual([txidOf(asked)]);
  });

  it('asks with the charge’s id after a time-out, and finds what was made', async () => {
    const asked = input();
    const patient = providerOf(bank, 700);
    bank.failNext({ kind: 'hang' });
    await patient.createCharge(asked);
    patient.close();
    expect(bank.ledger.charges.size).toBe(1);
  });

  it('leaves open what became of a charge while the bank does not say it', async () => {
    const asked = input();
    bank.failNext({ kind: 'lost_answer' }, ...times(3, { kind: 'answer', status: 500 }));
    await expect(provider.createCharge(asked)).rejects.toMatchObject({ kind: 'unknown_outcome' });
    expect(await provider.createCharge(asked)).toMatchObject({ providerPaymentId: txidOf(asked) });
    expect(bank.ledger.charges.size).toBe(1);
  });

  it('gives out no code of another amount, key, charge or of a charge that was removed', async () => {
    const asked = input();
    await provider.createCharge(asked);
    const charge = bank.charge(txidOf(asked));
    charge.chave = 'outra@credora.com.br';
    await expect(get(charge.txid)).rejects.toMatchObject({ kind: 'retryable' });
    charge.chave = bank.key;
    charge.txid = 'f'.repeat(32);
    await expect(get(txidOf(asked))).rejects.toMatchObject({ kind: 'retryable' });
    charge.txid = txidOf(asked);
    await provider.cancelCharge(charge.txid, bank.credentials());
    await expect(provider.createCharge(asked)).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('signs in once for many calls, again when the token ends early, and refuses wrong credentials', async () => {
    await Promise.all(Array.from({ length: 8 }, () => provider.createCharge(input())));
    expect(tokenCalls()).toHaveLength(1);
    bank.revokeTokens();
    await provider.createCharge(input());
    expect(tokenCalls()).toHaveLength(2);
    bank.tokenSeconds = 20;
    bank.revokeTokens();
    await provider.createCharge(input());
    await provider.createCharge(input());
    expect(tokenCalls()).toHaveLength(4);

    const error = await provider
      .checkCredentials(bank.credentials({ clientSecret: 'wrong-secret' }))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'unauthorized' });
    expect(String(error) + JSON.stringify(error)).not.toContain('wrong-secret');
  });

  it('checks key and certificate', async () => {
    const found = await provider.checkCredentials(bank.credentials());
    expect(found.accountId).toBe(bank.key);
    expect(found.certificateExpiresAt!.getTime()).toBeGreaterThan(Date.now());
    await expect(provider.checkCredentials(bank.credentials({ key: 'outra@b.com' }))).rejects.toMatchObject({
      kind: 'rejected',
      providerCodes: expect.arrayContaining(['key_unknown']),
    });
    // The bank refuses in the handshake a certificate that it does not know.
    await expect(provider.checkCredentials(bank.credentials({ certificate: null }))).rejects.toMatchObject({
      kind: 'unauthorized',
    });
    const old = bank.authority.issue('Credora', { from: new Date(0), to: new Date(Date.now() - DAY_MS) });
    await expect(provider.checkCredentials(bank.credentials({ certificate: old }))).rejects.toMatchObject({
      kind: 'unauthorized',
      providerCodes: ['certificate_expired'],
    });
  });

  it('says when a notification address was another one', async () => {
    const set = (url: string) => provider.registerNotifications(url, bank.credentials());
    expect(await provider.notificationAddress(bank.credentials())).toBeNull();
    expect(await set('https://quita.example/a')).toEqual({ before: null });
    expect(await set('https://quita.example/a')).toEqual({ before: null });
    expect(await set('https://quita.example/b')).toEqual({ before: 'https://quita.example/a' });
    expect(await provider.notificationAddress(bank.credentials())).toBe('https://quita.example/b');
    bank.failNextWhere(({ method }) => method === 'PUT', {
      kind: 'answer',
      status: 400,
      body: '{"nome":"webhook_invalido"}',
    });
    const refused = await set('https://quita.example/c').catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'rejected', providerCodes: ['webhook_invalido'] });
  });

  it('waits as the bank says, and leaves a page of HTML for what it is', async () => {
    const { txid } = await paid();
    bank.failNext({ kind: 'answer', status: 429, headers: { 'retry-after': '120' } });
    await expect(get(txid)).rejects.toMatchObject({ kind: 'retryable', retryAfterSeconds: 120 });
    bank.failNext(...times(3, MAINTENANCE));
    await expect(get(txid)).rejects.toMatchObject({ kind: 'retryable' });
    // A 404 of a server that knows no charges says nothing about ours.
    bank.failNext(...times(3, { kind: 'answer', status: 404, body: '<html>404</html>' }));
    await expect(get(txid)).rejects.toMatchObject({ kind: 'retryable' });
  });

  it('keeps what a bank repeats of a person out of its errors', async () => {
    const error = await provider
      .createCharge(input({ payer: { firstName: '', lastName: '', taxId: { kind: 'CPF', number: '52998224725' } } }))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'rejected' });
    expect(String(error) + JSON.stringify(error)).not.toMatch(PERSONAL);
    const unknown = await provider
      .checkCredentials(bank.credentials({ key: 'ana@b.com' }))
      .catch((one: unknown) => one);
    expect(String(unknown) + JSON.stringify(unknown)).not.toContain('ana@b.com');
  });

  it('gives money back once, never more than came, and finds a return whose answer was lost', async () => {
    const { txid, pix } = await paid();
    const refundId = randomUUID();
    const asked = {
      refundId,
      providerPaymentId: txid,
      endToEndId: pix.endToEndId,
      amountCentavos: 10_000,
      credentials: bank.credentials(),
    };
    bank.failNext({ kind: 'lost_answer' });
    expect(await provider.refund(asked)).toMatchObject({ id: refundId, state: 'pending', amountCentavos: 10_000 });
    expect(await provider.refund({ ...asked, endToEndId: null })).toMatchObject({ id: refundId });
    await expect(provider.refund({ ...asked, amountCentavos: 1 })).rejects.toMatchObject({ kind: 'conflict' });
    await expect(provider.refund({ ...asked, refundId: randomUUID() })).rejects.toMatchObject({ kind: 'conflict' });
    expect(pix.devolucoes).toHaveLength(1);
    expect(await get(txid)).toMatchObject({ refundedCentavos: 0, status: 'APPROVED' });
    pix.devolucoes[0]!.status = 'DEVOLVIDO';
    expect(await get(txid)).toMatchObject({ refundedCentavos: 10_000, statusDetail: 'partially_refunded' });
  });

  it('reads what a payment is made of, and every kind of return', async () => {
    const asked = input({
      payable: {
        kind: 'due',
        dueDate: new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10) as never,
        validDays: 30,
        expiresAt: new Date(Date.now() + 40 * DAY_MS),
      },
    });
    const { providerPaymentId, instruments } = await provider.createCharge(asked);
    expect(instruments).toMatchObject([{ kind: 'pix_due' }]);
    bank.pay(providerPaymentId, 15_575, {
      componentesValor: { original: { valor: '150.75' }, multa: { valor: '3.01' }, juros: { valor: '1.99' } },
    });
    bank.giveBack(providerPaymentId, 100, { natureza: 'MED_OPERACIONAL' });
    bank.giveBack(providerPaymentId, 100, { natureza: 'MED_PIX_AUTOMATICO', status: 'NAO_REALIZADO' });
    const charge = await get(providerPaymentId);
    expect(charge.settlements).toMatchObject([
      {
        amountCentavos: 15_575,
        channel: 'pix_due',
        components: { principalCentavos: 15_075, fineCentavos: 301, interestCentavos: 199, discountCentavos: 0 },
      },
    ]);
    expect(charge.reversals).toMatchObject([
      { kind: 'med_operacional', state: 'done' },
      { kind: 'med_pix_automatico', state: 'failed' },
    ]);
    expect(charge.refundedCentavos).toBe(100);
    bank.giveBack(providerPaymentId, 15_475);
    expect(await get(providerPaymentId)).toMatchObject({ status: 'CANCELLED', refundedCentavos: 15_575 });
  });

  it('does not remove what was paid meanwhile, and removes once what was removed before', async () => {
    const { providerPaymentId: txid } = await provider.createCharge(input());
    bank.failNextWhere(({ method }) => method === 'PATCH', { kind: 'lost_answer' });
    const remove = () => provider.cancelCharge(txid, bank.credentials());
    expect(await remove()).toMatchObject({ status: 'CANCELLED', statusDetail: 'by_collector' });
    expect(await remove()).toMatchObject({ status: 'CANCELLED' });
    expect(calls('PATCH')).toHaveLength(1);
    // A Pix that arrived in the moment of the removal is there, whatever the state says.
    bank.pay(txid);
    bank.charge(txid).status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
    expect(await get(txid)).toMatchObject({ status: 'APPROVED', paidAmountCentavos: 15_075 });
  });

  it('lists what came over the windows and pages of the bank, also without a charge', async () => {
    bank.pageSize = 2;
    const { pix } = await paid();
    const days = [0, 3, 9, 9, 9].map((age) => new Date(Date.now() - age * DAY_MS - 60_000).toISOString());
    const orphans = days.map((horario) => bank.payByKey(1_000, { horario }));
    const found = new Map<string, string | null>();
    let page: string | null = null;
    do {
      const period = { from: new Date(Date.now() - 10 * DAY_MS), to: new Date(Date.now() + 1_000), page };
      const read = await provider.listReceived(period, bank.credentials());
      for (const one of read.items) found.set(one.endToEndId, one.providerPaymentId);
      page = read.next;
    } while (page !== null);
    expect([...found.keys()].sort()).toEqual([pix, ...orphans].map(({ endToEndId }) => endToEndId).sort());
    expect([...found.values()].filter((one) => one !== null)).toEqual([pix.txid]);
    const wrong = { from: new Date(0), to: new Date(1), page: '7.0' };
    await expect(provider.listReceived(wrong, bank.credentials())).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('never leaves two payable codes, whatever becomes of its requests', async () => {
    const outcomes = fc.constantFrom<Fault | null>(
      null,
      { kind: 'lost_answer' },
      { kind: 'answer', status: 500 },
      { kind: 'answer', status: 409 },
      { kind: 'answer', status: 429 },
      MAINTENANCE,
      { kind: 'wrong_answer', status: 200, body: '{}' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(outcomes, { maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        async (faults, callers) => {
          bank.ledger.charges.clear();
          bank.clearFaults();
          const asked = input();
          for (const fault of faults) {
            if (fault === null) await provider.createCharge(asked).catch(() => null);
            else bank.failNext(fault);
          }
          await Promise.allSettled(Array.from({ length: callers }, () => provider.createCharge(asked)));
          bank.clearFaults();
          const last = await provider.createCharge(asked);
          expect(bank.ledger.payable().map(({ code }) => code)).toEqual([
            last.instruments[0]?.kind === 'pix' ? last.instruments[0].brCode : null,
          ]);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('a bank that the client names', () => {
  const custom = (baseUrl: string, tokenUrl = baseUrl) => ({
    kind: 'pix' as const,
    profile: 'custom',
    clientId: 'id',
    clientSecret: 'secret',
    key: 'a@b.com',
    certificate: null,
    extra: {},
    custom: { baseUrl, tokenUrl, caPem: null },
  });

  it.each(['http://bank.example/v2', 'https://127.0.0.1/v2', 'https://10.0.0.1/', 'https://u:p@bank.example', 'x'])(
    'is not at %s',
    async (url) => {
      const provider = createPixProvider({ allowLoopback: false });
      await expect(provider.checkCredentials(custom(url))).rejects.toMatchObject({
        kind: 'rejected',
        providerCodes: ['address_refused'],
      });
    },
  );

  it('is not reached over a name that leads to this machine', async () => {
    const provider = createPixProvider({ allowLoopback: false });
    await expect(provider.checkCredentials(custom('https://localhost:9443/v2'))).rejects.toMatchObject({
      kind: 'rejected',
      providerCodes: ['address_refused'],
    });
  });

  it('serves with its own authorities, and with Basic or a form', async () => {
    for (const name of ['bb', 'inter'] as const) {
      const bank = await new FakeBank(name).start();
      Object.assign(bank, { quirks: { ...bank.quirks, wantsScope: false, keyInQuery: null } });
      const provider = createPixProvider({ allowLoopback: true, retryMs: 1 });
      const { baseUrl, tokenUrl, caPem = '' } = bank.addresses;
      const credentials = bank.credentials({ profile: 'custom', custom: { baseUrl, tokenUrl, caPem } });
      const { providerPaymentId } = await provider.createCharge(inputOf(bank, { credentials }));
      expect(bank.ledger.charges.has(providerPaymentId)).toBe(true);
      provider.close();
      await bank.stop();
    }
  });
});
