import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { formatCalendarDate } from '../../src/kernel/texts/format.ts';
import { wakeForMissingReceipts } from '../../src/modules/receipts/use-cases/wake-for-missing-receipts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { readZip } from '../../testing/read-zip.ts';
import { downloadPath, pathOf, verifyPath } from '../../testing/receipts-harness.ts';
import { newCharge, type RealApp, startRealApp, tell } from '../payments/real-provider.ts';
import { type Debtor, newDebt, readDebt, readPayment, startPaymentsApp, timelineOf } from '../payments/support.ts';

const sandbox = await opened(startPaymentsApp());
const real: RealApp = await opened(startRealApp());

/** Where the debtors of the tests live. */
const today = localDate(Date.now(), -3);
const daysAgo = (days: number): string => addDays(today, -days);

interface Listed {
  readonly protocol: string;
  readonly kind: string;
  readonly url: string;
  readonly amount: number;
  readonly revokedAt: string | null;
}

const receiptsOf = async ({ client, id }: Debtor): Promise<Listed[]> =>
  (await client.call('GET', `/api/receipts?debtId=${id}`)).body.items;

const receiptOf = (debtor: Debtor, kind: string): Promise<Listed> =>
  until(`a receipt of kind ${kind}`, async () => (await receiptsOf(debtor)).find((one) => one.kind === kind) ?? null);

async function textOf(app: { readonly url: string }, protocol: string): Promise<string> {
  const file = await fetch(app.url + downloadPath(protocol));
  expect(file.status).toBe(200);
  return (await readPdf(new Uint8Array(await file.arrayBuffer()))).text.replace(/\s+/g, ' ');
}

const settle = ({ client, id }: Debtor, amount: number, days: number, rest?: 'waive' | 'keep') =>
  client.call('POST', `/api/debts/${id}/settle`, { amount, paidAt: daysAgo(days), method: 'cash', rest });

/** A debt of R$ 1.000,00, due 60 days ago, with a fine of 2 % and 1 % a month. */
async function lateDebt(): Promise<Debtor> {
  const client = await sandbox.newClient();
  await client.call('PUT', '/api/terms', TERMS);
  const debtor = await newDebt(sandbox, { originalAmount: 1000, dueDate: daysAgo(60) }, client);
  expect((await client.call('POST', `/api/campaigns/${debtor.campaignId}/launch?sandbox=true`)).status).toBe(200);
  return debtor;
}

describe('the receipt of a part', () => {
  it('says what was credited, what is open, and that it is no quittance of the rest; the Termo covers all', async () => {
    const debtor = await lateDebt();
    expect((await settle(debtor, 300, 30, 'keep')).body.status).toBe('ON_HOLD');
    const part = await receiptOf(debtor, 'part');
    expect(part).toMatchObject({ amount: 300, revokedAt: null });
    const text = await textOf(sandbox, part.protocol);
    for (const words of [
      'Recibo de pagamento parcial',
      'a quantia de R$ 300,00 (trezentos reais)',
      'Este recibo comprova só este pagamento e não dá quitação do restante da dívida',
      `Em aberto em ${formatCalendarDate(daysAgo(30))}, depois deste pagamento R$ 730,00`,
      'O que ficou em aberto Principal R$ 730,00',
      'O que este pagamento abateu Principal R$ 270,00; Multa R$ 20,00; Juros R$ 10,00',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toMatch(/Termo de Quitação QT|Dívida quitada|Súmula 548/);
    const page = (await sandbox.get<string>(verifyPath(part.protocol))).body;
    expect(page).toContain('Recibo autêntico de pagamento parcial.');
    expect(page).toContain('não dá quitação do restante da dívida');
    expect((await fetch(sandbox.url + pathOf(part.url))).headers.get('content-disposition')).toContain(
      `recibo-parcial-${part.protocol}.pdf`,
    );
    const checkout = (await sandbox.get<string>(`/checkout/${debtor.id}`)).body;
    expect(checkout).toMatch(/Já recebemos R\$ 300,00\. Este é o valor que falta\. <a href="[^"]+"/);
    expect(checkout).toContain(pathOf(part.url).replaceAll('&', '&amp;'));

    // The receipt of the debt is the Termo alone.
    expect((await readPayment(debtor)) as object).toMatchObject({ receiptProtocol: null });
    const asked = await debtor.client.call('POST', `/api/receipts/${debtor.id}`);
    expect([asked.status, asked.body.code]).toEqual([409, 'payment_not_confirmed']);

    expect((await settle(debtor, 740, 0, 'keep')).body.status).toBe('PAID');
    const termo = await receiptOf(debtor, 'settlement');
    const whole = await textOf(sandbox, termo.protocol);
    expect(whole).toContain(
      'Principal R$ 1.000,00 Multa R$ 20,00 Juros R$ 17,30 Total da dívida R$ 1.037,30 Valor pago acima da dívida R$ 2,70',
    );
    expect(whole).toContain('Valor pago R$ 1.040,00');
    expect((await readPayment(debtor)) as object).toMatchObject({ receiptProtocol: termo.protocol });
    const found = await debtor.client.call('POST', '/api/debts/search', { campaignId: debtor.campaignId });
    expect(found.body.items[0]).toMatchObject({ receiptProtocol: termo.protocol });
    expect((await sandbox.get<string>(`/checkout/${debtor.id}`)).body).toContain(
      pathOf(termo.url).replaceAll('&', '&amp;'),
    );
    expect(await textOf(sandbox, part.protocol)).toBe(text);
    expect((await receiptsOf(debtor)).find(({ kind }) => kind === 'part')).toEqual(part);
    const issued = (await timelineOf(debtor)).filter(({ kind }) => kind === 'receipt_issued');
    expect(issued.map(({ protocol, receipt }) => [protocol, receipt])).toEqual([
      [part.protocol, 'part'],
      [termo.protocol, undefined],
    ]);
    const month = localDate(Date.now(), -3).slice(0, 7);
    const zip = await fetch(`${sandbox.url}/api/receipts/zip?month=${month}`, {
      headers: { authorization: `Bearer ${debtor.client.token}` },
    });
    const list = String(readZip(Buffer.from(await zip.arrayBuffer())).get('recibos.csv'));
    expect(list).toContain(`${part.protocol};Pagamento parcial;`);
    expect(list).toContain(`${termo.protocol};Termo de quitação;`);
  });

  it('is drawn again with the others after a change of the template', async () => {
    const debtor = await lateDebt();
    await settle(debtor, 300, 30, 'keep');
    const part = await receiptOf(debtor, 'part');
    await sandbox.query('update receipts set template_version = 0 where protocol = $1', [part.protocol]);
    const regenerate = async () => (await debtor.client.call('POST', '/api/receipts/regenerate-all')).body;
    expect(await regenerate()).toMatchObject({ total: 1, regenerated: 1, skipped: 0, failed: [] });
    expect(await regenerate()).toMatchObject({ total: 1, regenerated: 0, skipped: 1, failed: [] });
    expect(await receiptsOf(debtor)).toEqual([part]);
    expect(await textOf(sandbox, part.protocol)).toContain('Recibo de pagamento parcial');

    // The part came first.
    await settle(debtor, 740, 0, 'keep');
    await receiptOf(debtor, 'settlement');
    const page = async (skip: number) =>
      (await debtor.client.call('POST', `/api/receipts/regenerate-all?force=true&take=1&skip=${skip}`)).body;
    expect(await page(0)).toMatchObject({ total: 1, regenerated: 1, failed: [], capped: true, nextSkip: 1 });
    expect(await page(1)).toMatchObject({ total: 1, regenerated: 1, failed: [], capped: false, nextSkip: null });
  });

  it('is revoked when its money goes back, and valid again when the chargeback is reversed', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId, 40);
    await tell(real, debtor);
    const part = await receiptOf(debtor, 'part');
    expect(await textOf(real.app, part.protocol)).toContain('O que ficou em aberto Principal R$ 60,00');
    real.provider.change(debtor.providerId, { status: 'charged_back' });
    await tell(real, debtor);
    await until('it is revoked', async () => (await receiptsOf(debtor))[0]?.revokedAt ?? null);
    const page = async () => (await real.app.get<string>(verifyPath(part.protocol))).body;
    expect(await page()).toContain('Recibo revogado em');
    expect(await textOf(real.app, part.protocol)).toContain(
      'Este recibo foi revogado porque o pagamento foi contestado',
    );
    expect((await real.app.get<string>(`/checkout/${debtor.id}`)).body).not.toContain(part.protocol);
    real.provider.change(debtor.providerId, { status: 'charged_back', status_detail: 'reimbursed' });
    await tell(real, debtor);
    await until('it is valid again', async () => (await receiptsOf(debtor))[0]?.revokedAt === null);
    expect(await textOf(real.app, part.protocol)).toContain('O valor voltou ao credor e o recibo vale de novo');
    expect((await real.app.get<string>(`/checkout/${debtor.id}`)).body).toContain(part.protocol);
  });

  it('is made up for when it was lost', async () => {
    const debtor = await newDebt(real.app, { originalAmount: 100 });
    await settle(debtor, 40, 1);
    const part = await receiptOf(debtor, 'part');
    await real.app.query('delete from receipts where protocol = $1', [part.protocol]);
    expect(await wakeForMissingReceipts(real.worker.deps(6 * 60_000))()).toBe(1);
    const again = await receiptOf(debtor, 'part');
    expect(again.protocol).not.toBe(part.protocol);
    expect((await readDebt(debtor)).status).toBe('ON_HOLD');
  });

  it('is told once for each of the parts whose receipts are issued at once', async () => {
    const debtor = await newDebt(real.app, { originalAmount: 100 });
    const { id: debtId, client } = debtor;
    const issued = async (count: number): Promise<readonly string[]> => {
      const receipts = await until(`${count} receipts`, async () => {
        const all = await receiptsOf(debtor);
        return all.length === count ? all : null;
      });
      return receipts.map(({ protocol }) => protocol).toSorted();
    };
    await settle(debtor, 40, 1);
    await issued(1);
    await settle(debtor, 30, 1);
    await issued(2);
    await real.app.query('delete from receipts where debt_id = $1', [debtId]);
    expect(await wakeForMissingReceipts(real.worker.deps(6 * 60_000))()).toBe(1);
    const protocols = await issued(2);
    const ofLast = (told: readonly Readonly<Record<string, unknown>>[]) =>
      told.map((one) => String(one['protocol'])).filter((protocol) => protocols.includes(protocol));
    const timeline = ofLast(await timelineOf(debtor));
    expect(timeline.toSorted()).toEqual(protocols);
    // The feed tells an event once every transaction has ended that may tell an earlier one.
    const events = await until('the events of both', async () => {
      const { items } = (await client.call('GET', '/api/events?limit=100')).body;
      const found = ofLast(items.map(({ data }: { readonly data: Record<string, unknown> }) => data));
      return found.length >= timeline.length ? found : null;
    });
    expect(events).toEqual(timeline);
    const lines = await real.app.query<{ content: string; seq: number }>(
      'select content, seq from evidence_lines where debt_id = $1 order by seq',
      [debtId],
    );
    expect(ofLast(lines.map(({ content }) => JSON.parse(content)))).toEqual(timeline);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  });
});

describe('the Termo of a debt whose creditor gave up the rest', () => {
  it('says what was paid and what was given up, also below the principal', async () => {
    const debtor = await lateDebt();
    expect((await settle(debtor, 900, 0, 'waive')).body.status).toBe('PAID');
    const { protocol } = await receiptOf(debtor, 'settlement');
    const text = await textOf(sandbox, protocol);
    expect(text).toContain(
      'Principal R$ 1.000,00 Principal pago R$ 900,00 Juros, multa e encargos R$ 0,00 Total pago da dívida R$ 900,00',
    );
    expect(text).toContain('Desconto ou encargos dispensados pelo credor R$ 140,00');
    expect(text).toContain('quitação total da dívida');
  });
});
