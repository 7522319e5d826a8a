import { expect, it } from '@jest/globals';
import { eraseAsAsked } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const client = await app.newClient();
const erase = eraseAsAsked({ db, now: () => new Date(), personKeys: createPersonKeys(SECRETS['PERSON_SECRET']!) });

async function imported(input: object): Promise<string> {
  const campaignId = await client.createCampaign();
  expect((await client.importJson(campaignId, [input])).body.imported).toBe(1);
  const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  return id;
}

let persons = 0;

/** A person with an open page and two debts, of which the older one stands for the person. */
async function person() {
  persons += 1;
  const cpf = cpfOf(770_000_000 + persons);
  const input = debtInput(persons, { debtorCpf: cpf, dueDate: '2026-01-10', invoiceId: `K-${persons}-1` });
  const page = await openRightsPage(app, client, input);
  const other = await imported({ ...input, dueDate: '2026-06-10', invoiceId: `K-${persons}-2` });
  const importAgain = () => imported(input);
  return { ...page, other, importAgain };
}

const setStatus = (debtId: string, status: string) =>
  app.query('update debts set status = $2 where id = $1', [debtId, status]);
const waiting = async (): Promise<string[]> =>
  (await client.call('GET', '/api/inbox?reason=rights&limit=100')).body.items.map(
    ({ debt }: { debt: { id: string } }) => debt.id,
  );
const requestsOf = async (debtId: string) =>
  (await client.call('GET', `/api/rights-requests?debtId=${debtId}&state=open`)).body.items;
const answer = (id: string, more: object = {}) =>
  client.call('POST', `/api/rights-requests/${id}/answer`, { text: 'Corrigimos.', outcome: 'granted', ...more });
const shown = async ({ path, proof }: { readonly path: string; readonly proof: string }) =>
  (await fetch(`${app.url}${path}?v=${proof}`)).text();

it('what a person has asked is answered on the page when the debt that stood for the person is erased', async () => {
  const one = await person();
  await setStatus(one.debtId, 'EXHAUSTED');
  await setStatus(one.other, 'IN_COLLECTION');
  await one.ask('correcao', { texto: 'O meu nome mudou.' });
  expect(await waiting()).toEqual([one.debtId]);
  const [{ id, dueAt }] = await requestsOf(one.debtId);

  await erase({ clientId: client.id, debtId: one.debtId });
  expect(await requestsOf(one.other)).toMatchObject([{ id, dueAt, text: 'O meu nome mudou.' }]);
  expect(await waiting()).toEqual([one.other]);
  const page = await shown(one);
  expect(page).not.toContain(`K-${persons}-1`);
  expect(page).toContain('O meu nome mudou.');
  expect((await answer(id, { changes: { debtorPhone: '+5511987651234' } })).status).toBe(200);
  expect(await shown(one)).toContain('Corrigimos.');
  expect(await waiting()).toEqual([]);
});

it('a file that came with a dispute is kept with it, and goes with the last debt of the person', async () => {
  const one = await person();
  const form = new FormData();
  form.set('v', one.proof);
  form.set('conta', one.debtId);
  form.set('texto', 'Já paguei esta conta.');
  form.set('arquivo', new Blob(['%PDF-1.7 x']), 'recibo.pdf');
  const sent = await fetch(`${app.url}${one.path}/contestacao`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app.url },
    body: form,
  });
  expect(sent.status).toBe(303);
  // A worker has handled what was said with it.
  await app.query('update messages set handled_at = now() where debt_id = $1', [one.debtId]);
  await setStatus(one.debtId, 'PAID');
  await erase({ clientId: client.id, debtId: one.debtId });
  const [request] = await requestsOf(one.other);
  expect(request).toMatchObject({ kind: 'dispute', file: { contentType: 'application/pdf', bytes: 10 } });
  expect((await client.call('GET', `/api/rights-requests/${request.id}/file`)).status).toBe(200);
  expect(await waiting()).toEqual([one.other]);

  await setStatus(one.other, 'STOPPED');
  await erase({ clientId: client.id, debtId: one.other });
  expect(await waiting()).toEqual([]);
  expect(await app.query('select from rights_files where client_id = $1', [client.id])).toEqual([]);
  expect((await answer(request.id)).body.code).toBe('debt_state');
});

it('a request stays with its debt when the row is erased that it was made about', async () => {
  const one = await person();
  await one.ask('correcao', { texto: 'O meu telefone mudou.' });
  await setStatus(one.debtId, 'EXHAUSTED');
  const again = await one.importAgain();
  expect(await waiting()).toEqual([again]);
  await erase({ clientId: client.id, debtId: one.debtId });
  expect(await waiting()).toEqual([again]);
  const [{ id }] = await requestsOf(again);
  expect((await answer(id)).status).toBe(200);
  expect(await waiting()).toEqual([]);
});

it('an erasure ends the item of a debt that names somebody else by now', async () => {
  const one = await person();
  await one.ask('correcao', { texto: 'O meu telefone mudou.' });
  for (const debtId of [one.debtId, one.other]) await setStatus(debtId, 'EXHAUSTED');
  const again = await one.importAgain();
  await app.query('update debts set debtor_tax_id = $2 where id = $1', [again, cpfOf(779_000_000)]);
  await erase({ clientId: client.id, debtId: one.debtId });
  expect(await waiting()).toEqual([]);
});

it('an answer corrects the debt as it is now when the request was made about an earlier row of it', async () => {
  const one = await person();
  await one.ask('correcao', { texto: 'O meu telefone mudou.' });
  await setStatus(one.debtId, 'EXHAUSTED');
  const again = await one.importAgain();
  const [{ id }] = await requestsOf(again);
  const answered = await answer(id, { changes: { debtorPhone: '+5511987651234' } });
  expect([answered.status, answered.body.outcome]).toEqual([200, 'granted']);
  expect((await client.call('GET', `/api/debts/${again}`)).body.debtorPhone).toBe('+5511987651234');
  expect(await waiting()).toEqual([]);
});

it('an answer changes nothing of somebody else whom the debt names by now', async () => {
  const one = await person();
  await one.ask('correcao', { texto: 'O meu telefone mudou.' });
  await setStatus(one.debtId, 'EXHAUSTED');
  const again = await one.importAgain();
  await app.query('update debts set debtor_tax_id = $2 where id = $1', [again, cpfOf(779_000_001)]);
  const [{ id }] = await requestsOf(again);
  const { phone } = (
    await app.query<{ phone: string }>('select debtor_phone as phone from debts where id = $1', [again])
  )[0]!;
  expect((await answer(id, { changes: { debtorPhone: '+5511987651234' } })).body.code).toBe('debt_state');
  expect((await client.call('GET', `/api/debts/${again}`)).body.debtorPhone).toBe(phone);
  expect((await answer(id)).status).toBe(200);
  expect(await waiting()).toEqual([]);
});
