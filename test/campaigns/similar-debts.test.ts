import { expect, it } from '@jest/globals';
import { similarDebts } from '../../src/modules/debts/queries/given-debts.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_app', poolSize: 1 }));

it('reads at most one row of each kind for a given debt, however many debts of its person are alike', async () => {
  const client = await app.newClient();
  const alike = (invoiceId?: string) =>
    debtInput(1, { debtorCpf: cpfOf(1), originalAmount: 80, dueDate: '2026-09-10', invoiceId });
  const invoices = Array.from({ length: 50 }, (_, n) => `NF-${n}`);
  const { body } = await client.importJson(await client.createCampaign(), invoices.map(alike));
  expect(body.imported).toBe(50);
  const [stored] = await app.query<{ sandbox: boolean }>('select sandbox from debts where client_id = $1', [client.id]);
  const given = [...invoices.map((invoice) => invoice.toLowerCase()), null];
  const rows = await db.tenant(client.id).transactional((tx) =>
    similarDebts(
      tx,
      { clientId: client.id, sandbox: stored!.sandbox, withErased: false, withCorrected: false },
      {
        index: `{${given.map((_, index) => index).join(',')}}`,
        taxId: `{${given.map(() => cpfOf(1)).join(',')}}`,
        amount: `{${given.map(() => 8_000).join(',')}}`,
        due: `{${given.map(() => '2026-09-10').join(',')}}`,
        invoiceKey: `{${given.map((key) => key ?? 'NULL').join(',')}}`,
        personKey: null,
      },
    ),
  );
  expect(rows.filter(({ index }) => index === 50)).toHaveLength(1);
  expect(rows.length).toBeLessThanOrEqual(2 * given.length);
  // Sent again, each is known by its invoice; one without an invoice is known by person, amount and due date.
  const again = await client.importJson(await client.createCampaign(), [...invoices.map(alike), alike()]);
  expect(again.body).toMatchObject({ imported: 0, skipped: 51 });
});
