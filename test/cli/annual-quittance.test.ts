import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { billOf } from '../../testing/quittances.ts';
import { pathOf } from '../../testing/receipts-harness.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const CPF = '52998224725';

const app = await opened(startCampaignsApp());
const scratch = await opened(createScratch());
const client = await app.newClient();

async function run(args: readonly string[], input: string) {
  const env = {
    DATABASE_URL: app.database.url,
    DATA_DIR: scratch.folder,
    PERSON_SECRET: 'person_secret-of-the-tests',
    RECEIPT_SECRET: 'receipt_secret-of-the-tests',
  };
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'annual-quittance', ...args], env, input);
  const code = await started.ended;
  return { code, output: started.output() };
}

const quittances = () => app.query<{ protocol: string }>('select protocol from annual_quittances');

it('shows a year of a person, and issues its declaration once the client is said to confirm it', async () => {
  const { debtId } = await billOf(app.query, client.id, {
    debtorTaxId: CPF,
    dueDate: '2025-05-10',
    invoiceId: 'FAT-5',
  });
  const shown = await run([client.id, '2025'], `529.982.247-25\n`);
  expect([shown.code, shown.output]).toEqual([0, expect.stringContaining('paid\tFAT-5\tdue 2025-05-10')]);
  expect(shown.output).toContain('Confirmo, em nome da empresa');
  expect(await quittances()).toEqual([]);

  const issued = await run([client.id, '2025', '--confirm'], `${CPF}\n`);
  const [made] = await quittances();
  expect([issued.code, issued.output]).toEqual([0, expect.stringContaining(`issued\t${made!.protocol}`)]);
  const url = /^document\t(\S+)$/m.exec(issued.output)![1]!;
  expect((await app.get(pathOf(url))).status).toBe(200);
  for (const { output } of [shown, issued]) expect(output).not.toContain(CPF);
  const again = await run([client.id, '2025', '--confirm'], `${CPF}\n`);
  expect([again.code, again.output]).toEqual([0, expect.stringContaining(`exists\t${made!.protocol}`)]);
  expect(await quittances()).toHaveLength(1);
  const entries = (await client.call('GET', '/api/audit?action=annual_quittance_issued')).body.items;
  expect(entries).toMatchObject([{ actor: 'operator', target: made!.protocol }]);

  await app.query("update debts set status = 'IN_COLLECTION' where id = $1", [debtId]);
  const refused = await run([client.id, '2025', '--confirm'], `${CPF}\n`);
  expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/^refused\t.+owed\t/m)]);
});

it('refuses what is no use of it, and says when nobody is found', async () => {
  expect((await run([client.id], '')).output).toContain('Usage:');
  expect(await run([client.id, '25'], '')).toEqual({ code: 1, output: '25 is no year of a quittance\n' });
  expect(await run([client.id, '2025'], '123\n')).toEqual({ code: 1, output: 'This is not a valid CPF or CNPJ\n' });
  expect(await run([client.id, '2025'], '11144477735\n')).toEqual({
    code: 0,
    output: 'No debt of this person is stored\n',
  });
});
