import { expect, it } from '@jest/globals';
import { eraseAsAsked } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { type GivenAgreement, newAgreement } from '../../testing/agreements-harness.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { readZip } from '../../testing/read-zip.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const client = await app.newClient();
const erase = eraseAsAsked({ db, now: () => new Date(), personKeys: createPersonKeys(SECRETS['PERSON_SECRET']!) });

let persons = 0;

/** A person with an open page and a broken agreement, about other debts than the one by which the page was opened. */
async function agreed(given: GivenAgreement = {}) {
  persons += 1;
  const cpf = cpfOf(780_000_000 + persons);
  const page = await openRightsPage(app, client, debtInput(persons, { debtorCpf: cpf, invoiceId: `A-${persons}` }));
  const [row] = await app.query<{ sandbox: boolean }>('select sandbox from debts where id = $1', [page.debtId]);
  const agreement = await newAgreement(app.query, client.id, {
    debtorTaxId: cpf,
    ...row,
    status: 'BROKEN',
    endedAt: '2026-11-15T12:00:00Z',
    ...given,
  });
  return { ...page, cpf, agreement };
}

const setStatus = (debtId: string, status: string) =>
  app.query('update debts set status = $2 where id = $1', [debtId, status]);
const eraseOf = (debtId: string) => erase({ clientId: client.id, debtId });
const shown = async ({ path, proof }: { readonly path: string; readonly proof: string }) =>
  (await fetch(`${app.url}${path}?v=${proof}`)).text();
const copied = async ({ path, proof }: { readonly path: string; readonly proof: string }) =>
  (await (await fetch(`${app.url}${path}?v=${proof}&format=json`)).json()).agreements.map(
    ({ protocol }: { protocol: string }) => protocol,
  );
async function filesOfPack(debtId: string): Promise<string[]> {
  const answer = await fetch(`${app.url}/api/debts/${debtId}/evidence`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${client.token}` },
  });
  return [...readZip(Buffer.from(await answer.arrayBuffer())).keys()];
}

it('page, copy and evidence have the agreement whose rest is owed when another debt of it is erased', async () => {
  const one = await agreed();
  const { protocol, debtIds } = one.agreement;
  await setStatus(debtIds[0]!, 'PAID');
  await eraseOf(debtIds[0]!);
  expect(await app.query('select erased_at is not null as erased from debts where id = $1', [debtIds[0]])).toEqual([
    { erased: true },
  ]);
  expect(await shown(one)).toContain(protocol);
  expect(await copied(one)).toEqual([protocol]);
  expect(await filesOfPack(debtIds[1]!)).toContain(`agreements/${protocol}.pdf`);
});

it('an agreement that was erased with all of its debts is on the page of another debt no more', async () => {
  const one = await agreed();
  const { protocol, debtIds } = one.agreement;
  expect(await shown(one)).toContain(protocol);
  for (const debtId of debtIds) await setStatus(debtId, 'PAID');
  await eraseOf(debtIds[0]!);
  expect(await shown(one)).not.toContain(protocol);
  expect(await copied(one)).toEqual([]);
});

it('an agreement is on the page of the person who has made it, and of nobody who has one of its debts since', async () => {
  const one = await agreed({ debts: [{ owed: 100_000, discount: 10_000 }] });
  const { protocol, debtIds } = one.agreement;
  const [row] = await app.query<{ invoiceId: string }>(
    `update debts set status = 'EXHAUSTED', invoice_key = lower(invoice_id) where id = $1 returning invoice_id as "invoiceId"`,
    [debtIds[0]],
  );
  const stranger = { debtorCpf: cpfOf(789_000_000), debtorPhone: '+5511980077001' };
  const other = await openRightsPage(app, client, debtInput(900, { ...row, ...stranger }));
  expect(await app.query('select continued_by from debts where id = $1', [debtIds[0]])).toEqual([
    { continued_by: other.debtId },
  ]);
  expect([(await shown(one)).includes(protocol), (await shown(other)).includes(protocol)]).toEqual([true, false]);
  expect(await copied(other)).toEqual([]);
});
