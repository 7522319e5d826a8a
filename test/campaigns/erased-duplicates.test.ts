import { describe, expect, it } from '@jest/globals';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

let people = 500_000_000;

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 3 }));

const erase = (cpf: string) =>
  eraseDebtor({ db, now: () => new Date(), personKeys: createPersonKeys('person_secret-of-the-tests') })(cpf);
const nextCpf = () => cpfOf(++people);
const without = (input: object) => ({ ...input, invoiceId: undefined });

/** Returns the answer of an import, and checks that a dry run answers the same. */
async function imported(client: TestClient, debts: readonly object[]): Promise<[number, string[]]> {
  const campaignId = await client.createCampaign();
  const tried = await client.importJson(campaignId, debts, { checkOnly: true });
  const { body } = await client.importJson(campaignId, debts);
  expect(tried.body).toEqual(body);
  return [body.imported, body.errors.map(({ code }: { code: string }) => code)];
}

async function erasedDebt(client: TestClient, input: { debtorCpf: string }, status = 'PAID'): Promise<void> {
  await imported(client, [input]);
  await app.query(`update debts set status = $2 where client_id = $1 and debtor_tax_id = $3`, [
    client.id,
    status,
    input.debtorCpf,
  ]);
  expect((await erase(input.debtorCpf)).erased).toHaveLength(1);
}

describe('a paid debt whose debtor was erased', () => {
  it.each([
    ['with the invoice that it had', debtInput, debtInput],
    ['without an invoice, as it was', without, without],
    ['without the invoice that it had', debtInput, without],
    ['with an invoice that it had not', without, debtInput],
  ] as const)('is known when it is imported again %s', async (_, before, after) => {
    const client = await app.newClient();
    const shape = (form: typeof before, input: object) => (form === without ? without(input) : input);
    const input = debtInput(1, { debtorCpf: nextCpf() });
    await erasedDebt(client, shape(before, input) as typeof input);
    expect(await imported(client, [shape(after, input)])).toEqual([0, ['duplicate']]);
    // Another client may import the same debt.
    expect(await imported(await app.newClient(), [shape(after, input)])).toEqual([1, []]);
  });

  it('differs from a debt with another amount, date, person or invoice', async () => {
    const client = await app.newClient();
    const input = debtInput(1, { debtorCpf: nextCpf() });
    await erasedDebt(client, input);
    const others = [
      without({ ...input, originalAmount: 150.76 }),
      without({ ...input, dueDate: '2026-10-06' }),
      without({ ...input, debtorCpf: nextCpf() }),
      { ...input, invoiceId: 'NF-2' },
    ];
    expect(await imported(client, others)).toEqual([4, []]);
  });

  it('leaves no CPF, and no key that can be computed without the secret', async () => {
    const client = await app.newClient();
    const debtorCpf = nextCpf();
    await erasedDebt(client, debtInput(1, { debtorCpf }));
    const [row] = await app.query<Record<string, string>>('select * from debts where client_id = $1', [client.id]);
    expect(JSON.stringify(row)).not.toContain(debtorCpf);
    expect(row!['erased_person_key']).toMatch(/^[0-9a-f]{64}$/);
    expect(row!['erased_person_key']).not.toBe(createPersonKeys('another').person(debtorCpf));
  });
});

it('an erased debt that was stopped may be imported again', async () => {
  const client = await app.newClient();
  const input = debtInput(1, { debtorCpf: nextCpf() });
  await erasedDebt(client, input, 'STOPPED');
  expect(await imported(client, [without(input)])).toEqual([1, []]);
});

describe('of two debts of one person, amount and date', () => {
  const input = () => debtInput(1, { debtorCpf: nextCpf() });

  it('one without an invoice is a duplicate of a stored one with an invoice', async () => {
    const client = await app.newClient();
    const one = input();
    await imported(client, [one]);
    expect(await imported(client, [without(one)])).toEqual([0, ['duplicate']]);
    expect(await imported(client, [without({ ...one, originalAmount: 150.76 })])).toEqual([1, []]);
  });

  it('one without an invoice is a duplicate of one with an invoice before it in the same call', async () => {
    const one = input();
    expect(await imported(await app.newClient(), [one, without(one)])).toEqual([1, ['duplicate']]);
  });

  it('both are kept when each has an invoice of its own', async () => {
    const one = input();
    expect(await imported(await app.newClient(), [one, { ...one, invoiceId: 'NF-2' }])).toEqual([2, []]);
  });
});
