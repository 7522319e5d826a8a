import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Mail, MailerError } from '../../src/kernel/ports/mailer.ts';
import { genuineLine } from '../../src/kernel/texts/genuine.ts';
import { createTextHashes } from '../../src/modules/genuine/use-cases/text-hashes.ts';
import { mailRights } from '../../src/modules/rights/use-cases/mail-rights.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { formsOfMail } from '../../src/platform/mail/email.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const client = await app.newClient();
const mails: Mail[] = [];
let failure: MailerError | null = null;
const run = () =>
  mailRights({
    db,
    now: () => new Date(),
    publicUrl: 'https://quita.example',
    textHashes: createTextHashes([SECRETS['ENCRYPTION_KEY']!]),
    mailerOf: () => ({
      send: async (mail) => {
        if (failure !== null) throw failure;
        mails.push(mail);
      },
    }),
  })(() => {});

const input = debtInput(1, { debtorName: 'Rui Alves', debtorEmail: 'rui@example.com' });
const { debtId, path, proof, ask } = await openRightsPage(app, client, input);

it('confirms a request once by e-mail, and tells of the answer once, without a word of what it is about', async () => {
  await ask('correcao', { texto: 'O valor está errado.' });
  failure = new MailerError('retryable', 'the server is busy', { stage: 'connection' });
  await run();
  expect(mails).toEqual([]);
  failure = null;
  await run();
  await run();
  expect(mails).toHaveLength(1);
  const [{ id, protocol }] = (await client.call('GET', '/api/rights-requests')).body.items;
  expect(mails[0]).toMatchObject({ to: 'rui@example.com', subject: '[TESTE] Recebemos o seu pedido: Escola Aurora' });
  expect(mails[0]?.text).toContain(protocol);
  expect(mails[0]?.text).toContain(`https://quita.example${path}`);
  const answer = { text: 'Conferimos o valor.', outcome: 'refused' };
  await client.call('POST', `/api/rights-requests/${id}/answer`, answer);
  await run();
  await run();
  expect(mails.map(({ subject }) => subject)).toEqual([
    '[TESTE] Recebemos o seu pedido: Escola Aurora',
    '[TESTE] O seu pedido tem resposta: Escola Aurora',
  ]);
  // Both lead to "É verdade?", which knows them however they were copied.
  for (const { text, html } of mails) {
    expect(text).toContain(genuineLine('https://quita.example'));
    for (const content of formsOfMail({ text, html: html ?? '' })) {
      const { body } = await client.call('POST', '/api/genuine', { content });
      expect(body).toMatchObject({
        genuine: true,
        kind: 'message',
        creditor: { name: 'Escola Aurora' },
        sandbox: true,
      });
    }
  }
  for (const { subject, text } of mails) expect(`${subject} ${text}`).not.toMatch(/valor|errado|R\$|Rui|Conferimos/);
});

it('has the staff told again five days and one day before the term', async () => {
  await ask('revisao', { texto: '' });
  const told = async (daysLeft: number, toldDaysLeft: number): Promise<boolean> => {
    await app.query(
      `update inbox_items set due_at = now() + make_interval(days => $2, mins => -1),
         told_at = now() - make_interval(days => $3 - $2) where debt_id = $1 and reason = 'rights' and closed_at is null`,
      [debtId, daysLeft, toldDaysLeft],
    );
    await run();
    const [row] = await app.query<{ told: boolean }>(
      `select told_at is not null as told from inbox_items
       where debt_id = $1 and reason = 'rights' and closed_at is null`,
      [debtId],
    );
    return row!.told;
  };
  expect(await told(10, 15)).toBe(true);
  expect(await told(5, 15)).toBe(false);
  expect(await told(4, 4)).toBe(true);
  expect(await told(1, 4)).toBe(false);
});

it('is erased with the person, and its file too', async () => {
  const { eraseRights } = await import('../../src/modules/rights/queries/rights-requests.ts');
  const file = new FormData();
  file.set('v', proof);
  file.set('texto', 'Segue o comprovante.');
  file.set('arquivo', new Blob(['%PDF-1.7 x']), 'recibo.pdf');
  await fetch(`${app.url}${path}/contestacao`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app.url },
    body: file,
  });
  expect(await app.query('select from rights_files where debt_id = $1', [debtId])).toHaveLength(1);
  await db.tenant(client.id).transactional((tx) => eraseRights(tx, [debtId]));
  expect(await app.query('select from rights_files where debt_id = $1', [debtId])).toEqual([]);
  const left = await app.query<{ text: string; answer: string | null }>(
    'select text, answer from rights_requests where debt_id = $1',
    [debtId],
  );
  expect(left).toHaveLength(3);
  for (const { text, answer } of left) expect([text, answer ?? '']).toEqual(['', '']);
});

describe('a request about a debt that was imported again', () => {
  beforeAll(() => app.query('update rights_requests set confirmed_at = now(), told_at = now()'));
  const importAgain = async (given: object): Promise<void> => {
    const campaignId = await client.createCampaign();
    expect((await client.importJson(campaignId, [given])).body.imported).toBe(1);
  };
  const endDebt = (id: string) => app.query(`update debts set status = 'EXHAUSTED' where id = $1`, [id]);
  const answer = async (about: string, more: object = {}) => {
    const [{ id }] = (await client.call('GET', `/api/rights-requests?debtId=${about}&state=open`)).body.items;
    const given = { text: 'Corrigimos.', outcome: 'granted', ...more };
    expect((await client.call('POST', `/api/rights-requests/${id}/answer`, given)).status).toBe(200);
  };
  const mailed = async () => {
    mails.length = 0;
    await run();
    return mails.map(({ to }) => to);
  };

  it('is answered at the address that the debt has now', async () => {
    const given = debtInput(2, { debtorEmail: 'velho@example.com' });
    const page = await openRightsPage(app, client, given);
    await page.ask('correcao', { texto: 'O e-mail velho@example.com não é meu.' });
    expect(await mailed()).toEqual(['velho@example.com']);
    await endDebt(page.debtId);
    await importAgain({ ...given, debtorEmail: 'outro@example.com' });
    await answer(page.debtId, { changes: { debtorEmail: 'novo@example.com' } });
    expect(await mailed()).toEqual(['novo@example.com']);
  });

  it('is not told to an address that somebody has said is not the debtor’s', async () => {
    const given = debtInput(3, { debtorEmail: 'estranho@example.com' });
    const page = await openRightsPage(app, client, given);
    await page.ask('correcao', { texto: 'O meu nome mudou.' });
    expect(await mailed()).toEqual(['estranho@example.com']);
    await endDebt(page.debtId);
    await importAgain({ ...given, debtorPhone: '+5511980072002' });
    const notMine = { method: 'POST', headers: { origin: app.url } };
    expect((await fetch(`${app.url}${page.path}/nao-e-meu`, notMine)).status).toBe(200);
    await answer(page.debtId);
    expect(await mailed()).toEqual([]);
    // The earlier row is the current one again when the import is undone.
    expect(await app.query('select from debts where debtor_email = $1', ['estranho@example.com'])).toEqual([]);
  });

  it('is answered at the address of who asked when another person has the debt now', async () => {
    const given = debtInput(4, { debtorEmail: 'ana@example.com' });
    const page = await openRightsPage(app, client, given);
    await page.ask('correcao', { texto: 'Esta dívida não é minha.' });
    expect(await mailed()).toEqual(['ana@example.com']);
    await endDebt(page.debtId);
    await importAgain({ ...given, debtorCpf: cpfOf(990_000_001), debtorEmail: 'bruno@example.com' });
    await answer(page.debtId);
    expect(await mailed()).toEqual(['ana@example.com']);
  });
});

it('tells of an answer also when the confirmation could not be sent for too long', async () => {
  const page = await openRightsPage(app, client, debtInput(5, { debtorEmail: 'eva@example.com' }));
  await page.ask('correcao', { texto: 'O valor está errado.' });
  failure = new MailerError('retryable', 'the server is down', { stage: 'connection' });
  await run();
  await app.query(`update rights_requests set created_at = now() - interval '49 hours' where debt_id = $1`, [
    page.debtId,
  ]);
  const [{ id }] = (await client.call('GET', `/api/rights-requests?debtId=${page.debtId}`)).body.items;
  await client.call('POST', `/api/rights-requests/${id}/answer`, { text: 'Conferimos.', outcome: 'refused' });
  failure = null;
  mails.length = 0;
  await run();
  await run();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['eva@example.com', '[TESTE] O seu pedido tem resposta: Escola Aurora'],
  ]);
});

describe('a request about a debt without an address', () => {
  /** Asks on the page of a debt, and imports another debt of its person with an address. */
  const asked = async (index: number, email: string, own: object = {}) => {
    const first = debtInput(index, { dueDate: '2026-09-05', invoiceId: `A${index}`, ...own });
    const page = await openRightsPage(app, client, first);
    const campaignId = await client.createCampaign();
    const other = { ...first, dueDate: '2026-10-05', invoiceId: `B${index}`, debtorEmail: email };
    expect((await client.importJson(campaignId, [other])).body.imported).toBe(1);
    await page.ask('correcao', { texto: 'O valor está errado.' });
    mails.length = 0;
    return { ...page, change: (set: string) => app.query(`update debts set ${set} where debtor_email = $1`, [email]) };
  };
  const mailed = async () => {
    await run();
    return mails.splice(0).map(({ to }) => to);
  };
  const answer = async (about: string, changes: object = {}) => {
    const [{ id }] = (await client.call('GET', `/api/rights-requests?debtId=${about}&state=open`)).body.items;
    const given = { text: 'Corrigimos.', outcome: 'granted', ...changes };
    expect((await client.call('POST', `/api/rights-requests/${id}/answer`, given)).status).toBe(200);
  };

  it('is confirmed and answered at the address that another debt of the person has', async () => {
    const { debtId } = await asked(6, 'ivo@example.com');
    expect(await mailed()).toEqual(['ivo@example.com']);
    await answer(debtId);
    expect(await mailed()).toEqual(['ivo@example.com']);
  });

  it.each([
    ['that somebody has said is not the person’s', 7, 'wrong_person_at = now()'],
    ['of another person', 8, `debtor_tax_id = '11144477735'`],
  ])('is not told to an address %s', async (_, index, set) => {
    const { change } = await asked(index, `nao${index}@example.com`);
    await change(set);
    expect(await mailed()).toEqual([]);
  });

  it('is not told to an address that is not the person’s and that a later file brings again', async () => {
    const { path } = await asked(10, 'volta@example.com');
    const notMine = { method: 'POST', headers: { origin: app.url } };
    expect((await fetch(`${app.url}${path}/nao-e-meu`, notMine)).status).toBe(200);
    const later = { dueDate: '2026-11-05', invoiceId: 'C10', debtorEmail: 'volta@example.com' };
    const page = await openRightsPage(app, client, debtInput(10, later));
    await page.ask('correcao', { texto: 'O valor está errado.' });
    expect(await mailed()).toEqual([]);
  });

  it('is not told to an address that was removed from the debt of the request and stands in another', async () => {
    const { debtId } = await asked(9, 'errado@example.com', { debtorEmail: 'errado@example.com' });
    expect(await mailed()).toEqual(['errado@example.com']);
    await answer(debtId, { changes: { debtorEmail: null } });
    expect(await mailed()).toEqual([]);
  });
});
