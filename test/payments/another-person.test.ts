import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();

async function imported(input: object): Promise<string> {
  const campaignId = await client.createCampaign();
  expect((await client.importJson(campaignId, [input])).body.imported).toBe(1);
  const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  return id;
}
const set = (ids: readonly string[], changes: string) =>
  app.query(`update debts set ${changes} where id = any($1)`, [ids]);
const page = async (id: string): Promise<string> => (await fetch(`${app.url}/checkout/${id}`)).text();
const press = (id: string, button: string): Promise<Response> =>
  fetch(`${app.url}/checkout/${id}/${button}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app.url, accept: 'text/html' },
  });
const messagesOf = (id: string) => app.query<{ text: string }>('select text from messages where debt_id = $1', [id]);

let bills = 0;

/** A bill was imported for Ana by mistake, has ended, and was imported again for Bruno, who has another debt too. */
async function importedForAnother(status: string) {
  bills += 1;
  const invoiceId = `E-${bills}`;
  const ana = { debtorName: 'Ana Souza', debtorCpf: cpfOf(880_000_000 + 2 * bills) };
  const bruno = { debtorName: 'Bruno Lima', debtorCpf: cpfOf(880_000_001 + 2 * bills) };
  const bill = debtInput(2 * bills, { ...ana, invoiceId });
  const first = await openRightsPage(app, client, bill);
  await set([first.debtId], `status = '${status}'`);
  const again = debtInput(2 * bills + 1, { ...bruno, invoiceId, originalAmount: 987.65 });
  const current = await imported(again);
  const other = await imported({ ...again, invoiceId: `${invoiceId}b`, description: 'Segredo do Bruno' });
  await set([current, other], `status = 'QUEUED'`);
  return { first, current };
}

it.each(['STOPPED', 'EXHAUSTED'])(
  'the page of a bill that was %s shows nothing of the person for whom it was imported again',
  async (status) => {
    const { first, current } = await importedForAnother(status);
    // Bruno's page has a code by now.
    expect(await page(current)).toMatch(/987,65[\s\S]*<textarea/);
    const shown = await page(first.debtId);
    expect(shown).toContain('Não há nada a pagar');
    expect(shown).toContain(`data-debt="${first.debtId}"`);
    expect(shown).toContain(first.path);
    for (const hidden of ['987,65', '<textarea', '/pay/', '<dd>B', current]) expect(shown).not.toContain(hidden);
    const state = async () => (await app.get(`/api/checkout/${first.debtId}/status`)).body;
    expect(await state()).toMatchObject({ status: 'CANCELLED' });
    // The bill is paid, which is a matter of Bruno's.
    await set([first.debtId, current], `status = 'PAID'`);
    expect(await state()).toMatchObject({ status: 'CANCELLED' });
    expect(await page(first.debtId)).toContain('Não há nada a pagar');
  },
);

it('a button and an offer of that page are those of the person whose page it was', async () => {
  const { first, current } = await importedForAnother('EXHAUSTED');
  expect((await press(first.debtId, 'opt-out')).status).toBe(303);
  expect(await messagesOf(current)).toEqual([]);
  expect(await messagesOf(first.debtId)).toMatchObject([{ text: expect.stringContaining('PARAR') }]);
  const offers = await (await fetch(`${app.url}/checkout/${first.debtId}/offers`)).text();
  expect(offers).not.toMatch(/987,65|777,77/);
});

it('the page of rights of that person stays, and what is asked there is about them', async () => {
  const { first, current } = await importedForAnother('EXHAUSTED');
  const open = async () => (await fetch(`${app.url}${first.path}?v=${first.proof}`)).text();
  const held = await open();
  expect(held).toContain('Ana Souza');
  expect(held).not.toMatch(/Bruno|987,65/);
  expect((await first.ask('correcao', { texto: 'Esta dívida não é minha.' })).status).toBe(303);
  const dispute = new FormData();
  for (const [name, value] of Object.entries({ v: first.proof, texto: 'Não é minha.', divida: first.debtId })) {
    dispute.set(name, value);
  }
  const sent = { method: 'POST', redirect: 'manual', headers: { origin: app.url }, body: dispute } as const;
  expect((await fetch(`${app.url}${first.path}/contestacao`, sent)).status).toBe(303);
  expect(await messagesOf(current)).toEqual([]);
  const asked = await app.query<{ kind: string }>('select kind from rights_requests where debt_id = $1', [
    first.debtId,
  ]);
  expect(asked).toHaveLength(2);
});

it('a row whose person was erased is not that of the person who has the debt now', async () => {
  const { first, current } = await importedForAnother('EXHAUSTED');
  await set([first.debtId], `debtor_tax_id = '', erased_person_key = 'ana', erased_at = now()`);
  const isHidden = async () => expect(await page(first.debtId)).not.toMatch(/987,65|<textarea|\/pay\/|<dd>B/);
  await isHidden();
  await set([current], `debtor_tax_id = '', erased_person_key = 'bruno', erased_at = now()`);
  await isHidden();
  // Both rows were of one person.
  await set([current], `erased_person_key = 'ana'`);
  expect(await page(first.debtId)).toContain(`data-debt="${current}"`);
});
