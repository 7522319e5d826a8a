/** A person with more debts than a page shows. */
import { expect, it } from '@jest/globals';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { collector, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCollectionApp({ env: { SANDBOX_MAX_WAIT: '500ms' } }));
const client = await app.newClient();
const staff = collector(client);
const OLDER = 2_000;
const [phoneBefore, phoneNow] = ['+5511980079476', '+5511980079477'];
const older = (n: number, debtorCpf: string, count = OLDER) =>
  Array.from({ length: count }, (_, at) =>
    debtInput(n * 10_000 + at, { debtorCpf, debtorPhone: phoneBefore, dueDate: '2024-01-10' }),
  );

it('the page shows the first debts, and the copies hold all of them', async () => {
  const debtorCpf = cpfOf(680_000_001);
  await staff.draft(older(1, debtorCpf));
  const newest = debtInput(19_999, { debtorCpf, debtorPhone: phoneNow, dueDate: '2026-01-10' });
  const { debtId, path, proof } = await openRightsPage(app, client, newest);
  const get = async (format: string) =>
    Buffer.from(await (await fetch(`${app.url}${path}?v=${proof}${format}`)).arrayBuffer());
  const page = (await get('')).toString();
  const json = JSON.parse((await get('&format=json')).toString());
  const pdf = await get('&format=pdf');
  const { text } = await readPdf(pdf);
  expect(page.match(/<summary>Fatura [^<]*R\$/g)).toHaveLength(200);
  expect(page).toContain('Há mais 1.801 na cópia dos seus dados.');
  expect(json.debts).toHaveLength(OLDER + 1);
  expect(json.person.phones).toEqual([phoneBefore, phoneNow]);
  expect(text.match(/Fatura NF-/g)).toHaveLength(500);
  expect(text).toContain('Há mais 1.501 na cópia em JSON.');

  // The last one of the page is the debt that is meant, and not all of them.
  expect(page).toContain(`<option value="${debtId}">`);
  const form = new FormData();
  for (const [name, value] of Object.entries({ v: proof, texto: 'Já paguei.', conta: debtId })) form.set(name, value);
  const headers = { origin: app.url };
  const asked = await fetch(`${app.url}${path}/contestacao`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: form,
  });
  await asked.arrayBuffer();
  expect(asked.headers.get('location')).toContain('pedido=PD-');
  const [request] = (await client.call('GET', `/api/rights-requests?debtId=${debtId}`)).body.items;
  expect(request).toMatchObject({ kind: 'dispute', debtId });
});

it('“isto não é meu” reaches the phone in use', async () => {
  const debtorCpf = cpfOf(680_000_002);
  const draft = await staff.draft(older(2, debtorCpf, 200));
  await app.query('update debts set sandbox = true where campaign_id = $1', [draft]);
  const newest = debtInput(29_999, { debtorCpf, debtorPhone: phoneNow, dueDate: '2026-01-10' });
  const { debts } = await staff.launch([newest]);
  const { id } = debts[0]!;
  const first = await staff.contacted(id);
  const contacts = sent(first, 'collection').length;
  const { rightsUrl } = (await client.call('GET', `/api/debts/${id}`)).body;
  const pressed = await fetch(`${app.url}${new URL(rightsUrl).pathname}/nao-e-meu`, {
    method: 'POST',
    headers: { origin: app.url },
    body: new URLSearchParams(),
  });
  expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('PD-')]);
  await client.call('POST', `/api/sandbox/campaigns/${first.campaignId}/clock`, { command: 'release' });
  const after = await staff.reaches(id, 'stopped', ({ status }) => status === 'STOPPED');
  expect(sent(after, 'collection')).toHaveLength(contacts);
});
