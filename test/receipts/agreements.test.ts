import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { formatReais } from '../../src/kernel/money.ts';
import { formatCalendarDate } from '../../src/kernel/texts/format.ts';
import { acceptOffer } from '../../src/modules/agreements/use-cases/accept-offer.ts';
import { issueInstalmentReceipts, issuePartReceipts } from '../../src/modules/receipts/use-cases/issue-receipt.ts';
import { revokeReceipt } from '../../src/modules/receipts/use-cases/revoke-receipt.ts';
import { wakeForMissingReceipts } from '../../src/modules/receipts/use-cases/wake-for-missing-receipts.ts';
import {
  agreementPath,
  agreementSignature,
  newAgreement,
  payAgreement,
  shareOfPayment,
} from '../../testing/agreements-harness.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { downloadPath, pathOf, signatureOf, verifyPath } from '../../testing/receipts-harness.ts';
import { openPostOffice } from './postman.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const office = await opened(openPostOffice(app, client.id));
await client.call('PATCH', '/api/onboarding/me', { cnpj: '11222333000181' });

const problem = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });
const verifyAgreementPath = (protocol: string, sig = agreementSignature(protocol)): string => verifyPath(protocol, sig);

async function bytesOf(path: string): Promise<Buffer> {
  const answer = await fetch(app.url + path);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const textOf = async (path: string): Promise<string> =>
  (await readPdf(new Uint8Array(await bytesOf(path)))).text.replace(/\s+/g, ' ');

/** Another character than the first of a protocol's body, so that its check character is wrong. */
const altered = (protocol: string): string =>
  protocol.slice(0, 8) + (protocol[8] === '0' ? '1' : '0') + protocol.slice(9);

describe('GET /api/agreements/download/:protocol', () => {
  it('is drawn at the first download, with headers as of a receipt, and is the same from then on', async () => {
    const { protocol, text } = await newAgreement(app.query, client.id);
    const answers = await Promise.all([1, 2, 3].map(() => fetch(app.url + agreementPath(protocol))));
    const files = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
    const sha256 = createHash('sha256').update(files[0]!).digest('hex');
    for (const [at, answer] of answers.entries()) {
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="termo-de-acordo-${protocol}.pdf"`,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
        etag: `"${sha256}"`,
      });
      expect(files[at]!.equals(files[0]!)).toBe(true);
    }
    expect(await app.query('select sha256 from agreements where protocol = $1', [protocol])).toEqual([{ sha256 }]);
    const shown = (await readPdf(new Uint8Array(files[0]!))).text.replace(/\s+/g, ' ');
    for (const words of [
      'Escola Aurora (CNPJ 11.222.333/0001-81)',
      'João Antônio da Conceição (CPF ***.',
      'R$ 900,00 (novecentos reais), com desconto de R$ 120,00',
      '3ª 20/01/2027 R$ 300,00',
      '10/11/2026, às 12:04:05 (UTC-03:00)',
      text.replace(/\s+/g, ' '),
    ]) {
      expect(shown).toContain(words);
    }
    expect(shown).not.toContain('TESTE');

    await app.query("update clients set name = 'Outro Nome', verified_name = 'Outro Nome' where id = $1", [client.id]);
    expect((await bytesOf(agreementPath(protocol))).equals(files[0]!)).toBe(true);
    await app.query("update clients set name = 'Escola Aurora', verified_name = null where id = $1", [client.id]);
  });

  it('has what was accepted, of an offer of the policy', async () => {
    expect((await client.call('PUT', '/api/offers/policy', OFFERS_POLICY)).status).toBe(200);
    const campaignId = await client.createCampaign();
    const input = debtInput(1, { dueDate: addDays(localDate(Date.now(), -3), -100), originalAmount: 1000 });
    await client.importJson(campaignId, [input]);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const debtId: string = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0].id;
    const { items } = (await client.call('GET', `/api/debts/${debtId}/offers`)).body;
    const [offer] = items.filter(({ kind }: { kind: string }) => kind === 'instalments');
    const deps = { ...office.deps, now: () => new Date() };
    const accepted = await deps.db
      .tenant(client.id)
      .transactional((tx) =>
        acceptOffer(tx, deps, { clientId: client.id, debtId, offer: { id: offer.id }, by: 'staff', in: null }),
      );
    expect(accepted.kind).toBe('accepted');
    const { body } = await client.call('GET', '/api/agreements?limit=1');
    const text = await textOf(pathOf(body.items[0].url));
    for (const { number, dueDate, amount } of offer.instalments) {
      expect(text).toContain(
        `${number}ª ${formatCalendarDate(dueDate)} ${formatReais(Math.round(amount * 100))}`.replace(/\s/g, ' '),
      );
    }
    expect(text).toContain('Junto à equipe do credor');
    expect(text).toContain('DOCUMENTO DE TESTE, SEM VALOR');
    expect(
      (await app.get<string>(pathOf(body.items[0].url).replace('/api/agreements/download/', '/verify/'))).body,
    ).toContain('Em dia');
  });

  it('marks an agreement of the sandbox', async () => {
    const { protocol } = await newAgreement(app.query, client.id, { sandbox: true });
    expect(await textOf(agreementPath(protocol))).toContain('DOCUMENTO DE TESTE, SEM VALOR');
  });

  it('names debts as they were offered, whatever was corrected since', async () => {
    const { protocol, debtIds } = await newAgreement(app.query, client.id);
    await app.query("update debts set original_amount_centavos = 1, due_date = '2020-01-01' where id = $1", [
      debtIds[0],
    ]);
    expect(await textOf(agreementPath(protocol))).toContain('05/05/2026 R$ 600,00 R$ 600,00 R$ 100,00 R$ 500,00');
  });

  it('has the dates that were accepted, also when it is drawn after one was moved', async () => {
    const { id, protocol, text } = await newAgreement(app.query, client.id);
    expect(text).toContain('20/11/2026');
    // This is what the move of an instalment stores.
    await app.query(
      `update agreements set instalments = jsonb_set(instalments, '{0,dueDate}', '"2026-11-27"') where id = $1`,
      [id],
    );
    const shown = await textOf(agreementPath(protocol));
    expect(shown).toContain('1ª 20/11/2026 R$ 300,00');
    expect(shown).not.toContain('27/11/2026');
  });

  it('has no document of an erased debtor any more, and the page says so', async () => {
    const { id, protocol, debtIds } = await newAgreement(app.query, client.id);
    await bytesOf(agreementPath(protocol));
    await app.query(
      `update debts set debtor_name = '(dados apagados)', debtor_tax_id = '', debtor_phone = '', name_key = '',
         erased_person_key = 'k', erased_at = now() where id = any($1)`,
      [debtIds],
    );
    await app.query("update agreements set accepted_text = '', accepted_phone = '' where id = $1", [id]);
    expect(await app.get(agreementPath(protocol))).toMatchObject(problem(404, 'not_found'));
    const page = (await app.get<string>(verifyAgreementPath(protocol))).body;
    expect(page).toContain('Termo de Acordo autêntico.');
    expect(page).toContain('dados apagados');
    expect(page).not.toMatch(/João|Baixar|download/);
  });
});

describe.each([
  ['the download', agreementPath],
  ['the verification page', verifyAgreementPath],
])('%s of an agreement', (_name, path) => {
  let protocol: string;
  beforeAll(async () => {
    ({ protocol } = await newAgreement(app.query, client.id));
  });

  it('opens by its own signature alone', async () => {
    expect((await app.get(path(protocol))).status).toBe(200);
    const right = agreementSignature(protocol);
    const bare = path(protocol).split('?')[0]!;
    const refused = [
      path(protocol, ''),
      path(protocol, right.slice(1)),
      path(protocol, `${right}=`),
      path(protocol, agreementSignature(protocol, 'another secret')),
      path(protocol, signatureOf(protocol)),
      path(altered(protocol), right),
      `${path(protocol)}&sig=${right}`,
      bare,
    ];
    for (const address of refused) {
      expect(await app.get(address)).toMatchObject(problem(401, 'signature_invalid'));
      expect(await app.get(address, client.token)).toMatchObject(problem(401, 'signature_invalid'));
    }
  });

  it('is 404 for an unknown or altered protocol that is signed, and for the other kind of document', async () => {
    const unknown = 'AC-2026-00000000000';
    for (const one of [unknown, altered(protocol)]) {
      expect(await app.get(path(one))).toMatchObject(problem(404, 'not_found'));
      expect(await app.get(path(one, signatureOf(one)))).toMatchObject(problem(401, 'signature_invalid'));
    }
    expect(await app.get(agreementPath('nope'))).toMatchObject(problem(404, 'not_found'));
    expect(await app.get(downloadPath(protocol))).toMatchObject(problem(404, 'not_found'));
    expect(await app.get(downloadPath(protocol, agreementSignature(protocol)))).toMatchObject(
      problem(401, 'signature_invalid'),
    );
  });
});

describe('GET /verify/:protocol of an agreement', () => {
  const pageOf = async (protocol: string): Promise<string> =>
    (await app.get<string>(verifyAgreementPath(protocol))).body;
  const shownIn = (page: string, label: string): string | undefined =>
    new RegExp(`<dt>${label}</dt><dd>(?:<span class="code">)?([^<]*)`).exec(page)?.[1];

  it('confirms public facts, and masks personal data', async () => {
    const { protocol } = await newAgreement(app.query, client.id, { debtorTaxId: '52998224725' });
    const answer = await fetch(app.url + verifyAgreementPath(protocol));
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const page = await answer.text();
    expect(page).toContain('Termo de Acordo autêntico.');
    expect({
      protocol: shownIn(page, 'Protocolo'),
      creditor: shownIn(page, 'Credor'),
      cnpj: shownIn(page, 'CNPJ do credor'),
      debtor: shownIn(page, 'Devedor'),
      cpf: shownIn(page, 'CPF'),
      total: shownIn(page, 'Valor do acordo')?.replace(/\s/g, ' '),
      instalments: shownIn(page, 'Parcelas'),
      acceptedAt: shownIn(page, 'Aceito em'),
    }).toEqual({
      protocol,
      creditor: 'Escola Aurora',
      cnpj: '11.222.333/0001-81',
      debtor: expect.not.stringContaining('Antônio'),
      cpf: '***.982.247-**',
      total: 'R$ 900,00',
      instalments: '3',
      acceptedAt: '10/11/2026, às 12:04:05 (UTC-03:00)',
    });
    expect(page).not.toMatch(/NF-|Mensalidade|\*-0001|52998224725|529\.982/);
    // The hash is that of the stored bytes.
    expect(shownIn(page, 'SHA-256 do arquivo')).toBeUndefined();
    const href = /class="button" href="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&');
    const sha256 = createHash('sha256')
      .update(await bytesOf(pathOf(href)))
      .digest('hex');
    expect(shownIn(await pageOf(protocol), 'SHA-256 do arquivo')).toBe(sha256);
  });

  it('says the present state, and no more than that it is in force while something is late', async () => {
    const future = [{ dueDate: '2099-01-10', amount: 90_000 }];
    const onTime = await newAgreement(app.query, client.id, { instalments: future });
    const late = await newAgreement(app.query, client.id, { instalments: [{ dueDate: '2026-01-10', amount: 90_000 }] });
    expect(shownIn(await pageOf(onTime.protocol), 'Situação')).toBe('Em dia');
    const page = await pageOf(late.protocol);
    expect(shownIn(page, 'Situação')).toBe('Em vigor');
    expect(page).not.toMatch(/atras/i);
    await payAgreement(app.query, client.id, late, 90_000);
    expect(shownIn(await pageOf(late.protocol), 'Situação')).toBe('Em dia');
    for (const [status, shown] of [
      ['COMPLETED', 'Cumprido'],
      ['BROKEN', 'Encerrado'],
      ['CANCELLED', 'Encerrado'],
    ] as const) {
      const { protocol } = await newAgreement(app.query, client.id, { status, instalments: future });
      const ended = await pageOf(protocol);
      expect(ended).toContain('Termo de Acordo autêntico.');
      expect(shownIn(ended, 'Situação')).toBe(shown);
    }
  });
});

interface Receipt {
  readonly protocol: string;
  readonly kind: string;
  readonly amount: number;
  readonly paymentId: string;
  readonly revokedAt: string | null;
}

const receiptsOf = async (debtId: string): Promise<Receipt[]> =>
  (await client.call('GET', `/api/receipts?debtId=${debtId}`)).body.items;
const issue = (agreementId: string) => issueInstalmentReceipts(office.deps, { clientId: client.id, agreementId });

describe('the receipts of an agreement’s payments', () => {
  it('are issued once for each payment, whichever code brought it', async () => {
    const agreement = await newAgreement(app.query, client.id);
    const [debtId] = agreement.debtIds;
    const first = await payAgreement(app.query, client.id, agreement, 30_000, { instalment: 1 });
    await Promise.all([issue(agreement.id), issue(agreement.id)]);
    const second = await payAgreement(app.query, client.id, agreement, 45_000, { paidAt: '2026-11-19T13:00:00Z' });
    await issue(agreement.id);
    await issue(agreement.id);
    const receipts = (await receiptsOf(debtId!)).toSorted((one, other) => one.amount - other.amount);
    expect(receipts).toMatchObject([
      { kind: 'instalment', amount: 300, paymentId: first },
      { kind: 'instalment', amount: 450, paymentId: second },
    ]);
    const { timeline } = (await client.call('GET', `/api/debts/${debtId}`)).body;
    const issued = timeline.filter(({ kind }: { kind: string }) => kind === 'receipt_issued');
    expect(issued.map(({ receipt, paymentId }: Record<string, string>) => [receipt, paymentId])).toEqual([
      ['instalment', first],
      ['instalment', second],
    ]);
    const [one, other] = receipts;
    const text = await textOf(downloadPath(one!.protocol));
    expect(text).toContain(`por conta do acordo ${agreement.protocol}`);
    expect(text).toContain('Parcela 1ª de 3, com vencimento em 20/11/2026 (R$ 300,00)');
    expect(text).toContain('ainda faltam R$ 600,00');
    expect(await textOf(downloadPath(other!.protocol))).toContain(
      'Parcelas 2ª de 3, com vencimento em 21/12/2026 (R$ 300,00); parte da 3ª de 3, com vencimento em 20/01/2027 (R$ 150,00)',
    );
    const file = await fetch(app.url + downloadPath(one!.protocol));
    expect(file.headers.get('content-disposition')).toContain(`recibo-de-acordo-${one!.protocol}.pdf`);
    const page = (await app.get<string>(verifyPath(one!.protocol))).body;
    expect(page).toContain('Recibo autêntico de pagamento de acordo.');
    expect(page).toContain('não dá quitação do restante do acordo');
    expect(page).not.toContain('Vencimento da dívida');
    // The money of an agreement settles no debt by itself.
    expect(await client.call('POST', `/api/receipts/${debtId}`)).toMatchObject(problem(409, 'payment_not_confirmed'));
  });

  it('are revoked with their money', async () => {
    const agreement = await newAgreement(app.query, client.id);
    const paymentId = await payAgreement(app.query, client.id, agreement, 30_000);
    const debtId = agreement.debtIds[0]!;
    await issue(agreement.id);
    await app.query('update charges set refunded_centavos = paid_centavos where id = $1', [paymentId]);
    await office.deps.db.tenant(client.id).transactional((tx) => revokeReceipt(tx, paymentId, 'refund', new Date()));
    const [receipt] = await receiptsOf(debtId);
    expect(receipt).toMatchObject({ kind: 'instalment', revokedAt: expect.any(String) });
    const text = await textOf(downloadPath(receipt!.protocol));
    expect(text).toContain('Este recibo foi revogado porque o dinheiro voltou');
    expect(text).toContain('Recibo de pagamento de acordo');
  });

  it('name no instalment when the money came after the agreement had ended', async () => {
    const agreement = await newAgreement(app.query, client.id, { status: 'BROKEN', endedAt: '2026-11-15T12:00:00Z' });
    await payAgreement(app.query, client.id, agreement, 30_000, { paidAt: '2026-11-14T13:00:00Z' });
    await payAgreement(app.query, client.id, agreement, 20_000, { paidAt: '2026-11-16T13:00:00Z' });
    await issue(agreement.id);
    const receipts = (await receiptsOf(agreement.debtIds[0]!)).toSorted((one, other) => one.amount - other.amount);
    const [late, inTime] = await Promise.all(receipts.map(({ protocol }) => textOf(downloadPath(protocol))));
    expect(late).toContain('que já tinha terminado');
    expect(inTime).toContain('Parcela 1ª de 3');
  });

  it('are made up for by the agreement’s workflow, unless the debtor was erased', async () => {
    const since = new Date().toISOString();
    const [agreement, erased] = [await newAgreement(app.query, client.id), await newAgreement(app.query, client.id)];
    for (const one of [agreement, erased]) await payAgreement(app.query, client.id, one, 30_000);
    await app.query("update debts set erased_at = now(), erased_person_key = 'k' where id = any($1)", [erased.debtIds]);
    const woken = async (): Promise<unknown[]> =>
      app.query(
        `select workflow_id from outbox where workflow_id = any($1) and created_at >= $2 order by workflow_id`,
        [[`agreement-${agreement.id}`, `agreement-${erased.id}`], since],
      );
    await wakeForMissingReceipts(office.deps)();
    expect(await woken()).toEqual([{ workflow_id: `agreement-${agreement.id}` }]);
    await issue(agreement.id);
    await app.query('delete from outbox where workflow_id = $1', [`agreement-${agreement.id}`]);
    await wakeForMissingReceipts(office.deps)();
    expect(await woken()).toEqual([]);
  });

  it('are drawn with all receipts of the client, unless the debtor was erased', async () => {
    const own = await app.newClient();
    const [agreement, erased] = [await newAgreement(app.query, own.id), await newAgreement(app.query, own.id)];
    for (const one of [agreement, erased]) await payAgreement(app.query, own.id, one, 30_000);
    await app.query("update debts set erased_at = now(), erased_person_key = 'k' where id = any($1)", [erased.debtIds]);
    const regenerate = async (query = '') => (await own.call('POST', `/api/receipts/regenerate-all${query}`)).body;
    expect(await regenerate()).toMatchObject({ total: 1, regenerated: 1, skipped: 0, failed: [] });
    expect(await regenerate()).toMatchObject({ total: 1, regenerated: 0, skipped: 1, failed: [] });
    expect(await regenerate('?force=true')).toMatchObject({ total: 1, regenerated: 1, skipped: 0, failed: [] });
    const { items } = (await own.call('GET', '/api/receipts')).body;
    expect(items).toMatchObject([{ kind: 'instalment', debtId: agreement.debtIds[0] }]);
  });
});

describe('the debts of an agreement that was kept', () => {
  it('get no receipts of parts, and each its Termo with the agreement’s discount', async () => {
    const agreement = await newAgreement(app.query, client.id, { status: 'COMPLETED' });
    const [older, newer] = agreement.debtIds as [string, string];
    const first = await payAgreement(app.query, client.id, agreement, 30_000);
    const last = await payAgreement(app.query, client.id, agreement, 60_000, { paidAt: '2026-11-20T13:00:00Z' });
    await shareOfPayment(app.query, client.id, { debtId: older, partOf: first, centavos: 30_000 });
    const paidAt = '2026-11-20T13:00:00Z';
    await shareOfPayment(app.query, client.id, {
      debtId: older,
      partOf: last,
      centavos: 20_000,
      paidAt,
      settles: { settled: 50_000 },
    });
    await shareOfPayment(app.query, client.id, {
      debtId: newer,
      partOf: last,
      centavos: 40_000,
      paidAt,
      settles: { settled: 40_000 },
    });
    for (const debtId of agreement.debtIds) await issuePartReceipts(office.deps, { clientId: client.id, debtId });
    expect(await receiptsOf(older)).toEqual([]);
    await issue(agreement.id);

    const termo = await client.call('POST', `/api/receipts/${older}`);
    expect(termo.status).toBe(201);
    const text = await textOf(pathOf(termo.body.url));
    for (const words of [
      'a quantia de R$ 500,00',
      `em 2 pagamentos, o último por Pix, em 20/11/2026, pelo acordo ${agreement.protocol}`,
      `Pagamentos pelo acordo ${agreement.protocol} R$ 300,00 por Pix, em 18/11/2026; R$ 200,00 por Pix, em 20/11/2026`,
      `Desconto do acordo ${agreement.protocol} R$ 100,00`,
      'Forma Pix, por simulador de pagamentos',
      `pagamento nº sbx_${last}`,
      `Pix (EndToEndId) E2E${last.slice(0, 8)}`,
      'quitação total da dívida',
    ]) {
      expect(text).toContain(words);
    }
    const other = await client.call('POST', `/api/receipts/${newer}`);
    expect(await textOf(pathOf(other.body.url))).toContain(`Desconto do acordo ${agreement.protocol} R$ 20,00`);
    expect((await receiptsOf(older)).map(({ kind }) => kind).toSorted()).toEqual([
      'instalment',
      'instalment',
      'settlement',
    ]);
    expect((await receiptsOf(older)).find(({ kind }) => kind === 'settlement')!.revokedAt).toBeNull();
  });

  it('get a Termo that is revoked when what the debt got has gone back before it was issued', async () => {
    const agreement = await newAgreement(app.query, client.id, {
      status: 'COMPLETED',
      debts: [{ owed: 50_000, discount: 0 }],
      instalments: [{ dueDate: '2026-11-20', amount: 50_000 }],
    });
    const debtId = agreement.debtIds[0]!;
    const whole = await payAgreement(app.query, client.id, agreement, 50_000);
    await shareOfPayment(app.query, client.id, {
      debtId,
      partOf: whole,
      centavos: 50_000,
      settles: { settled: 50_000 },
    });
    await app.query('update charges set refunded_centavos = paid_centavos where part_of = $1', [whole]);
    const { body } = await client.call('POST', `/api/receipts/${debtId}`);
    expect(body.revokedAt).toEqual(expect.any(String));
  });
});
