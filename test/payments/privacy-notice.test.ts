import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const AS_BEFORE =
  'Eles servem para cobrar e receber este pagamento, como permite a Lei Geral de Proteção de Dados (LGPD, art. 7º, X, proteção do crédito). Para acessar, corrigir ou se opor ao uso dos seus dados, responda';
const ON_CONTRACT =
  'com base na execução do contrato que deu origem à cobrança e na proteção do crédito (Lei Geral de Proteção de Dados, LGPD, art. 7º, V e X).';
const ON_CONSENT = 'com base no seu consentimento (Lei Geral de Proteção de Dados, LGPD, art. 7º, I).';
const SOURCE = 'Formulário do site';

const app = await opened(startCampaignsApp());

interface Person {
  readonly client: TestClient;
  readonly ids: readonly string[];
}

/** Imports debts of one person by a client that states this ground. */
async function person(lawfulGround: 'contract' | 'consent' | null, ...given: object[]): Promise<Person> {
  const client = await app.newClient();
  if (lawfulGround !== null) await state(client, lawfulGround);
  const campaignId = await client.createCampaign();
  const debts = given.map((one, n) => debtInput(n, { debtorCpf: cpfOf(1), dueDate: `2026-10-0${n + 1}`, ...one }));
  expect((await client.importJson(campaignId, debts)).body.errors).toEqual([]);
  const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
  return { client, ids: items.map(({ id }: { id: string }) => id) };
}

const state = async (client: TestClient, lawfulGround: string) =>
  expect((await client.call('PATCH', '/api/onboarding/me', { lawfulGround })).body.lawfulGround).toBe(lawfulGround);

/** Returns the paragraphs of the notice, without the HTML around them. */
async function noticeOn(path: string): Promise<string[]> {
  const { status, body } = await app.get<string>(path);
  expect(status).toBe(200);
  const footer = body.slice(body.indexOf('<footer>'), body.indexOf('</footer>'));
  return [...footer.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text]) => text!);
}
const notice = async ({ ids }: Person) => (await noticeOn(`/checkout/${ids[0]}`)).join(' ');

describe('the privacy notice of a debt’s page', () => {
  it('is as before while the client has stated no ground, whatever the import says', async () => {
    const debtor = await person(null, { consentAt: '2025-03-10', consentSource: SOURCE });
    expect(await notice(debtor)).toContain(AS_BEFORE);
    expect(await notice(debtor)).not.toMatch(/consentimento|Formulário/);
  });

  it('names the contract and the protection of credit, and the right to object', async () => {
    const text = await notice(await person('contract', {}));
    expect(text).toContain(ON_CONTRACT);
    expect(text).toContain('Para acessar, corrigir ou se opor ao uso dos seus dados, responda');
    expect(text).not.toContain('consentimento');
  });

  it('names the consent, its date and source, and the right to revoke it', async () => {
    const paragraphs = await noticeOn(
      `/checkout/${(await person('consent', { consentAt: '2025-03-10', consentSource: SOURCE })).ids[0]}`,
    );
    expect(paragraphs).toEqual([
      expect.stringContaining(ON_CONSENT),
      `Segundo Escola Aurora, o consentimento foi dado em 10/03/2025, desta forma: “${SOURCE}”.`,
      expect.stringMatching(/^Você pode revogar o consentimento quando quiser\..* acessar ou corrigir os seus dados, /),
      expect.stringContaining('href="/direitos/'),
    ]);
    expect(paragraphs[0]).not.toContain('proteção do crédito');
  });

  it('says no more than the import did', async () => {
    expect(await notice(await person('consent', { consentAt: '2025-03-10' }))).toContain('dado em 10/03/2025. ');
    expect(await notice(await person('consent', {}))).not.toMatch(/dado em|null|undefined/);
  });

  it('shows a consent beside the contract as something the client says', async () => {
    const debtor = await person('contract', { consentAt: '2025-03-10', consentSource: SOURCE });
    expect(await notice(debtor)).toContain(
      `Segundo Escola Aurora, há também um consentimento seu, dado em 10/03/2025, desta forma: “${SOURCE}”.`,
    );
  });

  it('shows the date of a moment at the debtor’s place', async () => {
    const at = { consentAt: '2025-03-10T04:30:00Z' };
    expect(await notice(await person('consent', { ...at, debtorPhone: '+5511980000001' }))).toContain('10/03/2025');
    expect(await notice(await person('consent', { ...at, debtorPhone: '+5568980000001' }))).toContain('09/03/2025');
  });

  it('shows the client’s words as text and not as HTML', async () => {
    const consentSource = `<script>alert(1)</script>"'&`;
    const text = await notice(await person('consent', { consentAt: '2025-03-10', consentSource }));
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('follows a change of the ground', async () => {
    const debtor = await person('contract', {});
    await state(debtor.client, 'consent');
    expect(await notice(debtor)).toContain(ON_CONSENT);
    await state(debtor.client, 'contract');
    expect(await notice(debtor)).toContain(ON_CONTRACT);
  });

  it('is not shown after a wrong person', async () => {
    const debtor = await person('consent', { consentAt: '2025-03-10', consentSource: SOURCE });
    await app.query('update debts set wrong_person_at = now() where id = $1', [debtor.ids[0]]);
    const { body } = await app.get<string>(`/checkout/${debtor.ids[0]}`);
    expect(body).toContain('Nada para mostrar');
    expect(body).not.toMatch(/consentimento|Formulário|10\/03\/2025/);
  });
});

describe('the privacy notice of a person’s page', () => {
  /** Makes the page of a person whose debts wait for their first contact. */
  async function page({ client, ids }: Person): Promise<string[]> {
    await app.query(`update debts set status = 'QUEUED' where client_id = $1`, [client.id]);
    const pageId = randomUUID();
    await app.query(
      `insert into debtor_pages (id, client_id, debtor_tax_id, sandbox)
       select $2, client_id, debtor_tax_id, sandbox from debts where id = $1`,
      [ids[0], pageId],
    );
    return noticeOn(`/pay/${pageId}`);
  }
  const CONSENT = { consentAt: '2025-03-10', consentSource: SOURCE };

  it('says once what holds for all debts', async () => {
    expect(await page(await person('consent', CONSENT, CONSENT))).toEqual([
      expect.stringContaining(ON_CONSENT),
      `Segundo Escola Aurora, o consentimento foi dado em 10/03/2025, desta forma: “${SOURCE}”.`,
      expect.stringContaining('revogar'),
      expect.stringContaining('href="/direitos/'),
    ]);
  });

  it('names the debts where their consents differ', async () => {
    const other = { consentAt: '2025-04-01', invoiceId: undefined };
    expect((await page(await person('consent', CONSENT, other, {}))).slice(1)).toEqual([
      `Conta NF-0: segundo Escola Aurora, o consentimento foi dado em 10/03/2025, desta forma: “${SOURCE}”.`,
      'Conta com vencimento em 02/10/2026: segundo Escola Aurora, o consentimento foi dado em 01/04/2025.',
      expect.stringContaining('revogar'),
      expect.stringContaining('href="/direitos/'),
    ]);
  });

  it('is as before without a ground, and names the contract', async () => {
    expect((await page(await person(null, CONSENT, CONSENT))).join(' ')).toContain(AS_BEFORE);
    expect((await page(await person('contract', {}, {}))).join(' ')).toContain(ON_CONTRACT);
  });
});
