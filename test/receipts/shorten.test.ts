import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { revokeReceipt } from '../../src/modules/receipts/use-cases/revoke-receipt.ts';
import { shortenReceipts } from '../../src/modules/receipts/use-cases/shorten-receipts.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import {
  downloadPath,
  type GivenPayment,
  type PaidDebt,
  paidDebt,
  verifyPath,
} from '../../testing/receipts-harness.ts';
import { openPostOffice } from './postman.ts';

const DAY = 86_400_000;

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const office = await opened(openPostOffice(app, client.id));

interface Stored {
  readonly protocol: string;
  readonly pdf: Buffer | null;
  readonly facts: object;
  readonly issued_at: Date;
  readonly shortened_at: Date | null;
}

const stored = async ({ debtId }: PaidDebt): Promise<Stored> =>
  (await app.query<Stored>('select * from receipts where debt_id = $1', [debtId]))[0]!;
const cpfOfDebt = async ({ debtId }: PaidDebt): Promise<string> =>
  (await app.query<{ debtor_tax_id: string }>('select debtor_tax_id from debts where id = $1', [debtId]))[0]!
    .debtor_tax_id;
const request = ({ debtId }: PaidDebt, query = '') => client.call('POST', `/api/receipts/${debtId}${query}`);
const eraseAt = async (debt: PaidDebt, now: Date) =>
  eraseDebtor({ ...office.deps, now: () => now })(await cpfOfDebt(debt));
const shortenAt = (now: Date) => shortenReceipts({ db: office.deps.db, now: () => now })();

async function receipt(given: GivenPayment = {}): Promise<PaidDebt> {
  const debt = await paidDebt(app.query, client.id, { sandbox: false, debtorName: 'Joana Prado', ...given });
  await request(debt);
  return debt;
}

/** The moment five years and a day after the issue, which is later than the payment. */
const afterDuty = async (debt: PaidDebt): Promise<Date> => {
  const ends = (await stored(debt)).issued_at;
  return new Date(Date.UTC(ends.getUTCFullYear() + 5, ends.getUTCMonth(), ends.getUTCDate() + 1));
};

describe('the receipt of an erased debt', () => {
  it('stays complete until the legal duty ends, and the command states until when', async () => {
    const debt = await receipt();
    const before = await stored(debt);
    const { erased, receipts } = await eraseAt(debt, new Date());
    expect(erased.map(({ id }) => id)).toEqual([debt.debtId]);
    expect(receipts).toMatchObject([{ protocol: before.protocol, debtId: debt.debtId, shortened: false }]);
    expect(receipts[0]!.dutyEnds.getUTCFullYear()).toBe(before.issued_at.getUTCFullYear() + 5);
    await shortenAt(new Date(receipts[0]!.dutyEnds.getTime() - DAY));
    expect(await stored(debt)).toEqual(before);
    expect((await app.get(downloadPath(before.protocol))).status).toBe(200);
  });

  it('is shortened when the duty ends: the protocol is still confirmed, and the debtor is removed', async () => {
    const debt = await receipt();
    const { protocol, pdf, issued_at } = await stored(debt);
    const sha256 = createHash('sha256').update(pdf!).digest('hex');
    await eraseAt(debt, new Date());
    expect(await shortenAt(await afterDuty(debt))).toBeGreaterThan(0);

    const after = await stored(debt);
    expect(after).toMatchObject({ protocol, pdf: null, sha256: null, template_version: null, issued_at });
    expect(after.shortened_at).not.toBeNull();
    expect(after.facts).toMatchObject({
      creditor: { name: 'Escola Aurora' },
      debt: { originalAmountCentavos: 15_075, dueDate: '2026-10-05' },
      payment: { amountCentavos: 15_075, paidAt: '2026-11-20T17:31:05.000Z', provider: 'sandbox' },
      document: { sha256 },
    });
    expect(JSON.stringify(after.facts)).not.toMatch(/Joana|\*\*\*|NF-|sbx_|E18236120|debtor/);
    expect(await app.query('select br_code, end_to_end_id from charges where debt_id = $1', [debt.debtId])).toEqual([
      { br_code: null, end_to_end_id: null },
    ]);

    const page = await app.get<string>(verifyPath(protocol));
    expect(page.status).toBe(200);
    for (const words of ['Termo autêntico', protocol, sha256, 'R$ 150,75', 'dados apagados', 'prazo legal de guarda']) {
      expect(page.body.replaceAll(' ', ' ')).toContain(words);
    }
    expect(page.body).not.toMatch(/Baixar|\*\*\*|Joana/);
    const download = await app.get<{ code: string; detail: string }>(downloadPath(protocol));
    expect([download.status, download.body.code, download.body.detail]).toEqual([
      404,
      'not_found',
      expect.stringContaining('no longer kept'),
    ]);
    expect((await app.get(downloadPath(protocol, 'wrong'))).status).toBe(401);
    expect(
      await app.query(`select actor, details from audit_log where action = 'receipt_shortened' and target = $1`, [
        protocol,
      ]),
    ).toEqual([{ actor: 'system', details: null }]);
    expect((await client.call('GET', `/api/payments/${debt.debtId}`)).body.receiptProtocol).toBe(protocol);
  });

  it('is never drawn again, neither on request nor by regeneration or revocation', async () => {
    const other = await app.newClient();
    const debt = await paidDebt(app.query, other.id, { sandbox: false });
    const ask = (query = '') => other.call('POST', `/api/receipts/${debt.debtId}${query}`);
    const first = (await ask()).body;
    await eraseAt(debt, await afterDuty(debt));
    expect((await stored(debt)).pdf).toBeNull();
    const { status, body } = await ask('?send=true');
    expect([status, body]).toEqual([200, { ...first, sent: false, reason: 'erased' }]);
    const page = { total: 1, regenerated: 0, skipped: 1, failed: [], capped: false, nextSkip: null };
    for (const query of ['', '?force=true']) {
      expect((await other.call('POST', `/api/receipts/regenerate-all${query}`)).body).toEqual(page);
    }
    await office.deps.db
      .tenant(other.id)
      .transactional((tx) => revokeReceipt(tx, debt.paymentId, 'refund', new Date('2031-12-01T12:00:00Z')));
    expect((await app.get<string>(verifyPath(first.protocol))).body).toContain('Termo revogado em 01/12/2031');
    expect((await app.get(downloadPath(first.protocol))).status).toBe(404);
    expect((await stored(debt)).pdf).toBeNull();
  });

  it('of the sandbox is shortened at once, because it proves nothing', async () => {
    const debt = await receipt({ sandbox: true });
    expect((await eraseAt(debt, new Date())).receipts).toMatchObject([{ shortened: true }]);
  });

  it('is not sent any more, neither on request nor by a waiting delivery', async () => {
    const debt = await receipt({ debtorEmail: 'joana@exemplo.com.br' });
    await app.query(
      `insert into receipt_deliveries (client_id, debt_id, receipt_id, way, on_confirmation, wished_at, due_at)
       select client_id, debt_id, id, 'message', false, now(), now() from receipts where debt_id = $1`,
      [debt.debtId],
    );
    await eraseAt(debt, new Date());
    await office.deliver(debt);
    expect((await request(debt, '?send=true')).body).toMatchObject({ sent: false, reason: 'erased' });
    expect(office.sent).toEqual([]);
    expect(await app.query('select state from receipt_deliveries where debt_id = $1', [debt.debtId])).toEqual([
      { state: 'refused' },
    ]);
  });
});

describe('an erasure', () => {
  it('is refused before the receipt is issued and before the debtor’s messages are handled', async () => {
    const paid = await paidDebt(app.query, client.id, { sandbox: false });
    const cpf = await cpfOfDebt(paid);
    const erase = () => eraseDebtor({ ...office.deps, now: () => new Date() })(cpf);
    expect(await erase()).toMatchObject({ erased: [], refused: [{ id: paid.debtId, because: 'busy' }] });
    await request(paid);
    await app.query(
      `insert into messages (client_id, debt_id, direction, channel, channel_message_id, text, at)
       values ($1, $2, 'in', 'whatsapp', 'wamid.5511987654321', 'PARAR', now())`,
      [client.id, paid.debtId],
    );
    expect(await erase()).toMatchObject({ erased: [], refused: [{ id: paid.debtId, because: 'busy' }] });
    await app.query(`update messages set handled_at = now(), intent = 'opt_out' where debt_id = $1`, [paid.debtId]);
    expect((await erase()).refused).toEqual([]);
    expect(
      await app.query('select text, intent, channel_message_id from messages where debt_id = $1', [paid.debtId]),
    ).toEqual([{ text: '', intent: null, channel_message_id: null }]);
  });

  it('leaves no name, phone, CPF, e-mail, text or score reason of the person in any table except receipts', async () => {
    const debt = await receipt({ debtorName: 'Zulmira Quaresma', debtorEmail: 'zulmira@exemplo.com.br' });
    const [before] = await app.query<{ debtor_phone: string; debtor_tax_id: string }>(
      'select debtor_phone, debtor_tax_id from debts where id = $1',
      [debt.debtId],
    );
    await office.deliver(debt);
    await app.query(
      `update debts set score = 50, score_reasons = '[{"reason": "Zulmira"}]'
       where id = $1`,
      [debt.debtId],
    );
    await app.query(
      `insert into person_requests (client_id, debtor_tax_id, sandbox, promised_for, said_paid_at)
       select client_id, debtor_tax_id, sandbox, '2026-11-30', now() from debts where id = $1`,
      [debt.debtId],
    );
    await app.query(
      `insert into sandbox_acts (client_id, debt_id, kind, text, due_at) values ($1, $2, 'say', 'Zulmira aqui', now())`,
      [client.id, debt.debtId],
    );
    await eraseAt(debt, new Date());
    const tables = await app.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name <> 'receipts'`,
    );
    const { debtor_phone, debtor_tax_id } = before!;
    for (const { name } of tables) {
      const [{ found }] = (await app.query<{ found: number }>(
        `select count(*)::int as found from "${name}" as row where row::text ~* $1`,
        [`zulmira|quaresma|${debtor_phone.slice(1)}|${debtor_tax_id}`],
      )) as [{ found: number }];
      expect([name, found]).toEqual([name, 0]);
    }
    expect(await app.query('select score_reasons from debts where id = $1', [debt.debtId])).toEqual([
      { score_reasons: null },
    ]);
  });
});
