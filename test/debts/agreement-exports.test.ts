import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { statisticsDay } from '../../src/kernel/statistics-day.ts';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);

type Row = Readonly<Record<string, string>>;

async function rowsOf(client: TestClient, method: string, path: string, body?: object): Promise<Row[]> {
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${client.token}`, accept: 'text/csv', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return parse(await response.text(), { bom: true, delimiter: ';', columns: true });
}

const brazilian = (day: string): string => day.split('-').reverse().join('/');

describe('a debt of an agreement', () => {
  it('is found by its status, owes what is open of its share, and has its agreement in the export', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{}, { originalAmount: 500 }]]);
    await agreements.newPerson(client);
    const agreementId = await agreements.agree(client, person, 2);
    const { body: agreement } = await client.call('GET', `/api/agreements/${agreementId}`);
    const [first, second] = agreement.instalments;
    // More than the first instalment, and less than the first two.
    await agreements.pay(agreementId, { centavos: first.amount * 100 + 1 });
    const { items } = (await client.call('POST', '/api/debts/search', { status: ['AGREEMENT'] })).body;
    expect(new Set(items.map(({ id }: { id: string }) => id))).toEqual(new Set(person.ids));
    const owed: number = items.reduce((sum: number, one: { owedToday: number }) => sum + one.owedToday, 0);
    expect(owed).toBeCloseTo(agreement.total - first.amount - 0.01, 5);

    const rows = await rowsOf(client, 'POST', '/api/debts/export', { status: ['AGREEMENT'] });
    const byId = new Map(rows.map((row) => [row['Código'], row]));
    const [paid, unpaid] = agreement.debtIds.map((id: string) => byId.get(id)!);
    for (const row of [paid, unpaid]) {
      expect(row).toMatchObject({
        Situação: 'Em acordo',
        Acordo: agreement.protocol,
        'Próxima parcela': brazilian(second.dueDate),
      });
      expect(row['Em aberto do acordo']).toBe(row['Total hoje']);
    }
    // The money pays one debt after the other.
    const centavos = (first.amount * 100 + 1).toFixed(0);
    expect(paid['Valor pago'].replace(',', '')).toBe(centavos);
    expect(paid['Pago em']).toBe(brazilian(statisticsDay(Date.now())));
    expect([unpaid['Valor pago'], unpaid['Pago em']]).toEqual(['', '']);
  });

  it('has no next instalment once the agreement has ended, and each centavo once', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{}, {}]]);
    const agreementId = await agreements.agree(client, person, 2);
    const paymentId = await agreements.pay(agreementId, { centavos: 5_000 });
    await agreements.credit(paymentId, person.ids[0]!, 3_000);
    await agreements.credit(paymentId, person.ids[1]!, 2_000);
    await agreements.end(agreementId, 'BROKEN');
    await app.query(`update debts set status = 'IN_COLLECTION' where id = any($1)`, [person.ids]);
    const rows = await rowsOf(client, 'POST', '/api/debts/export', {});
    const { protocol } = (await client.call('GET', `/api/agreements/${agreementId}`)).body;
    expect(rows.map((row) => [row['Acordo'], row['Próxima parcela']])).toEqual([
      [protocol, ''],
      [protocol, ''],
    ]);
    expect(rows.map((row) => row['Valor pago']).sort()).toEqual(['20,00', '30,00']);
  });

  it('has a notice about an instalment as its last contact', async () => {
    const client = await app.newClient();
    const { ids } = await agreements.newPerson(client);
    await app.query(
      `insert into messages (client_id, debt_id, direction, channel, purpose, phone, text, delivery, attempt_key, at)
       values ($1, $2, 'out', 'sandbox', 'agreement', '+5511999990000', 'x', 'sent', gen_random_uuid(),
         '2026-11-20T15:00:00Z')`,
      [client.id, ids[0]],
    );
    const [row] = await rowsOf(client, 'POST', '/api/debts/export', {});
    expect(row!['Último contato']).toMatch(/^20\/11\/2026/);
  });
});

describe('the settlement report', () => {
  it('lists money of an agreement once, as the payment that came, with what its debts got of it', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{}, {}]]);
    const agreementId = await agreements.agree(client, person, 2);
    const held = await agreements.pay(agreementId, { centavos: 700 });
    const credited = await agreements.pay(agreementId, { centavos: 5_000, instalment: 2 });
    const part = await agreements.credit(credited, person.ids[0]!, 3_000);
    await app.query('update charges set principal_centavos = 2900, fine_centavos = 100 where id = $1', [part]);
    await agreements.credit(credited, person.ids[1]!, 2_000);
    for (const paymentId of [credited, part]) {
      await app.query(
        `insert into debt_events (client_id, debt_id, at, kind, data)
         select client_id, debt_id, now(), 'payment_changed',
           jsonb_build_object('paymentId', id, 'change', 'refunded', 'refundedAmount', 10) from charges where id = $1`,
        [paymentId],
      );
    }
    const day = statisticsDay(Date.now());
    const query = `from=${day}&to=${day}&sandbox=true`;
    const { totals } = (await client.call('GET', `/api/reports/settlements?${query}`)).body;
    expect(totals).toMatchObject({ payments: 2, amount: 57, refunds: 1, refunded: 10 });

    const rows = await rowsOf(client, 'GET', `/api/reports/settlements?${query}`);
    const invoices = await app.query<{ invoice_id: string }>(
      `select invoice_id from agreement_debts as one join debts on debts.id = one.debt_id
       where one.agreement_id = $1 order by one.position`,
      [agreementId],
    );
    const { protocol } = (await client.call('GET', `/api/agreements/${agreementId}`)).body;
    const shown = ({ Tipo, ...row }: Row) => [
      Tipo,
      row['Código do pagamento'],
      row['Valor recebido'],
      row['Principal'],
      row['Multa'],
    ];
    expect(new Set(rows.map(shown))).toEqual(
      new Set([
        // While the agreement holds it, the money is credited to nothing.
        ['Pagamento', held, '7,00', '', ''],
        ['Pagamento', credited, '50,00', '49,00', '1,00'],
        ['Devolução', credited, '', '', ''],
      ]),
    );
    for (const row of rows) {
      expect([row['Acordo'], row['Fatura']]).toEqual([
        protocol,
        invoices.map(({ invoice_id }) => invoice_id).join(', '),
      ]);
    }
  });
});
