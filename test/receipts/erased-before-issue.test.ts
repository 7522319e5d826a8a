import { expect, it } from '@jest/globals';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 3 }));
const client = await app.newClient();

const erase = async (cpf: string): Promise<string[]> => {
  const personKeys = createPersonKeys('person_secret-of-the-tests');
  const { erased } = await eraseDebtor({ db, now: () => new Date(), personKeys })(cpf);
  return erased.map(({ id }) => id).sort();
};

/** Imports a paid debt again, as if it had ended unpaid, and returns the new row. Then the code of the first row is paid. */
async function importAgain(debtId: string, debtorCpf: string): Promise<string> {
  await app.query(`update debts set status = 'EXHAUSTED' where id = $1`, [debtId]);
  const [row] = await app.query<{ invoiceId: string }>('select invoice_id as "invoiceId" from debts where id = $1', [
    debtId,
  ]);
  const campaignId = await client.createCampaign();
  const input = debtInput(1, { ...row, debtorName: 'Joana Prado', debtorCpf });
  expect((await client.importJson(campaignId, [input])).body.imported).toBe(1);
  const [again] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  expect(await app.query('select continued_by from debts where id = $1', [debtId])).toEqual([
    { continued_by: again.id },
  ]);
  await app.query(`update debts set status = 'PAID' where debtor_tax_id = $1`, [debtorCpf]);
  return again.id;
}

it.each([
  ['its own code', false, 1],
  ['the code of an earlier row of it', true, 2],
])('a debt that %s has paid keeps its person until the receipt is issued', async (_, isEarlier, person) => {
  const debtorTaxId = cpfOf(740_000_000 + person);
  const { debtId, paymentId } = await paidDebt(app.query, client.id, { debtorName: 'Joana Prado', debtorTaxId });
  const current = isEarlier ? await importAgain(debtId, debtorTaxId) : debtId;
  expect(await erase(debtorTaxId)).toEqual([]);

  expect((await client.call('POST', `/api/receipts/${current}`)).status).toBe(201);
  const issued = await app.query('select facts from receipts where charge_id = $1', [paymentId]);
  expect(issued).toMatchObject([{ facts: { debtor: { name: 'Joana Prado' } } }]);
  expect(await erase(debtorTaxId)).toEqual([...new Set([debtId, current])].sort());
});

it('a shortened receipt of an earlier row keeps nobody from being erased', async () => {
  const debtorTaxId = cpfOf(740_000_003);
  const { debtId, paymentId } = await paidDebt(app.query, client.id, { debtorName: 'Joana Prado', debtorTaxId });
  const current = await importAgain(debtId, debtorTaxId);
  await client.call('POST', `/api/receipts/${current}`);
  await app.query(
    `update receipts set shortened_at = now(), pdf = null, sha256 = null, template_version = null, rendered_at = null
     where charge_id = $1`,
    [paymentId],
  );
  expect(await erase(debtorTaxId)).toEqual([debtId, current].sort());
});
