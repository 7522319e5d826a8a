import { describe, expect, it } from '@jest/globals';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startAgreements } from '../../testing/agreements.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, type DebtInput, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { pathOf } from '../../testing/receipts-harness.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const personKeys = createPersonKeys(SECRETS['PERSON_SECRET']!);
const erase = eraseDebtor({ db, personKeys, now: () => new Date() });

const close = (debtId: string) => app.query(`update debts set status = 'STOPPED' where id = $1`, [debtId]);

const EVIDENCE = `accepted_text, accepted_text_hash, accepted_phone, cancel_reason, pdf, sha256`;
const evidenceOf = async (agreementId: string) =>
  (await app.query<Record<string, unknown>>(`select ${EVIDENCE} from agreements where id = $1`, [agreementId]))[0]!;

it('an erasure empties the evidence of an agreement, keeps its hash, and waits for the last of its debts', async () => {
  const client = await app.newClient();
  const person = await agreements.newPerson(client, [[{}, {}]]);
  const agreementId = await agreements.agree(client, person, 2);
  const shown = async () => (await client.call('GET', `/api/agreements/${agreementId}`)).body;
  // A payment of an instalment has its own receipt, and an erasure does not wait for it.
  await agreements.pay(agreementId, { centavos: 5_000 });
  await agreements.end(agreementId, 'CANCELLED');
  await app.query(
    `update agreements set cancel_reason = 'a pedido', pdf = 'x', sha256 = repeat('0', 64) where id = $1`,
    [agreementId],
  );
  const before = { ...(await shown()), ...(await evidenceOf(agreementId)) };
  expect(before).toMatchObject({
    accepted_phone: expect.stringMatching(/\d/),
    accepted_text: expect.stringMatching(/./),
  });

  await close(person.ids[0]!);
  expect((await erase(person.cpf)).erased).toHaveLength(1);
  expect(await evidenceOf(agreementId)).toMatchObject({
    accepted_text: before.accepted_text,
    cancel_reason: 'a pedido',
  });

  await close(person.ids[1]!);
  const erased = await erase(person.cpf);
  expect([erased.erased.map(({ id }) => id), erased.refused]).toEqual([[person.ids[1]], []]);
  expect(await evidenceOf(agreementId)).toEqual({
    accepted_text: '',
    accepted_text_hash: before.accepted_text_hash,
    accepted_phone: '',
    cancel_reason: null,
    pdf: null,
    sha256: null,
  });
  const { protocol, total, instalments, debtIds } = before;
  expect(await shown()).toMatchObject({ protocol, total, instalments, debtIds });
});

it('an erasure leaves an active agreement and its debts as they are', async () => {
  const client = await app.newClient();
  const person = await agreements.newPerson(client);
  const agreementId = await agreements.agree(client, person);
  const { erased, refused } = await erase(person.cpf);
  expect([erased, refused.map(({ status, because }) => [status, because])]).toEqual([[], [['AGREEMENT', 'open']]]);
  expect((await evidenceOf(agreementId))['accepted_text']).not.toBe('');
});

describe('the evidence of an agreement whose rest is still owed', () => {
  /** An agreement that was broken, after which the agreed rest stays owed, and what its protocol opens. */
  async function kept(debts: readonly Partial<DebtInput>[]) {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [debts]);
    const agreementId = await agreements.agree(client, person);
    await agreements.end(agreementId, 'BROKEN');
    await app.query("update agreements set after_breach = 'keep' where id = $1", [agreementId]);
    await app.query("update debts set status = 'IN_COLLECTION' where id = any($1)", [person.ids]);
    const [{ url }] = (await client.call('GET', `/api/agreements?debtId=${person.ids[0]}`)).body.items;
    const termo = async () => {
      const answer = await fetch(app.url + pathOf(url));
      if (answer.status !== 200) return null;
      return (await readPdf(new Uint8Array(await answer.arrayBuffer()))).text.replace(/\s+/g, ' ');
    };
    const confirmed = async () =>
      (await app.get<string>(pathOf(url).replace('/api/agreements/download/', '/verify/'))).body;
    return { ...person, client, agreementId, termo, confirmed };
  }

  /** Imports a debt again after its end. */
  async function importAgain(client: TestClient, debtId: string, given: Partial<DebtInput>): Promise<string> {
    await app.query("update debts set status = 'EXHAUSTED' where id = $1", [debtId]);
    const [row] = await app.query<{ invoiceId: string }>('select invoice_id as "invoiceId" from debts where id = $1', [
      debtId,
    ]);
    const campaignId = await client.createCampaign();
    const input = debtInput(700_000, { ...row, originalAmount: 1000, ...given });
    expect((await client.importJson(campaignId, [input])).body.imported).toBe(1);
    const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
    expect(await app.query('select continued_by from debts where id = $1', [debtId])).toEqual([{ continued_by: id }]);
    return id;
  }

  const hasWords = async (agreementId: string) => (await evidenceOf(agreementId))['accepted_text'] !== '';

  it('stays readable when another debt of it is erased, also where the document was not drawn before', async () => {
    const one = await kept([{}, {}]);
    await app.query("update debts set status = 'PAID' where id = $1", [one.ids[0]]);
    expect((await erase(one.cpf)).erased.map(({ id }) => id)).toEqual([one.ids[0]]);
    const masked = `***.${one.cpf.slice(3, 6)}.${one.cpf.slice(6, 9)}-**`;
    expect(await one.termo()).toContain(masked);
    const page = await one.confirmed();
    expect(page).toContain(masked);
    expect(page).toMatch(/\/direitos\//);
    await close(one.ids[1]!);
    await erase(one.cpf);
    expect(await one.termo()).toBeNull();
    expect(await one.confirmed()).toContain('dados apagados');
  });

  it('stays while the debt goes on as another row, and goes with that', async () => {
    const one = await kept([{}]);
    const current = await importAgain(one.client, one.ids[0]!, { debtorCpf: one.cpf });
    expect((await erase(one.cpf)).erased.map(({ id }) => id)).toEqual(one.ids);
    const masked = `***.${one.cpf.slice(3, 6)}.${one.cpf.slice(6, 9)}-**`;
    expect(await one.termo()).toContain(masked);
    expect(await one.confirmed()).toContain(masked);
    expect(await evidenceOf(one.agreementId)).toMatchObject({ accepted_phone: expect.stringMatching(/\d/) });
    await close(current);
    await erase(one.cpf);
    expect(await evidenceOf(one.agreementId)).toMatchObject({ accepted_text: '', accepted_phone: '', pdf: null });
    expect(await one.termo()).toBeNull();
  });

  it('goes when the debt names somebody else by now, and not with that person', async () => {
    const other = cpfOf(499_000_001);
    const one = await kept([{}]);
    const current = await importAgain(one.client, one.ids[0]!, { debtorCpf: other });
    await close(current);
    expect((await erase(other)).erased.map(({ id }) => id)).toEqual([current]);
    expect(await hasWords(one.agreementId)).toBe(true);
    const two = await kept([{}]);
    await importAgain(two.client, two.ids[0]!, { debtorCpf: other });
    await erase(two.cpf);
    expect(await hasWords(two.agreementId)).toBe(false);
  });

  it('names nobody whom one of its debts has named since', async () => {
    const one = await kept([{}, {}]);
    await importAgain(one.client, one.ids[0]!, { debtorCpf: cpfOf(499_000_002), debtorName: 'Zuleica Prates' });
    await importAgain(one.client, one.ids[1]!, { debtorCpf: one.cpf });
    expect(await one.confirmed()).not.toContain('Zuleica');
    await erase(one.cpf);
    expect(await hasWords(one.agreementId)).toBe(true);
    expect(await one.confirmed()).not.toContain('Zuleica');
  });
});
