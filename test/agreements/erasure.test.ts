import { expect, it } from '@jest/globals';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startAgreements } from '../../testing/agreements.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const personKeys = createPersonKeys(SECRETS['PERSON_SECRET']!);
const erase = eraseDebtor({ db, personKeys, now: () => new Date() });

const EVIDENCE = `accepted_text, accepted_text_hash, accepted_phone, cancel_reason, pdf, sha256`;
const evidenceOf = async (agreementId: string) =>
  (await app.query<Record<string, unknown>>(`select ${EVIDENCE} from agreements where id = $1`, [agreementId]))[0]!;

it('an erasure empties the evidence of an agreement, keeps its hash, and waits for the last of its debts', async () => {
  const client = await app.newClient();
  const person = await agreements.newPerson(client, [[{}, {}]]);
  const agreementId = await agreements.agree(client, person, 2);
  const shown = async () => (await client.call('GET', `/api/agreements/${agreementId}`)).body;
  const close = (debtId: string) => app.query(`update debts set status = 'STOPPED' where id = $1`, [debtId]);
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
