import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const CPF = '52998224725';
/** The secret of the test app. */
const PERSON_SECRET = 'person_secret-of-the-tests';

const app = await opened(startCampaignsApp());
const scratch = await opened(createScratch());

async function run(args: readonly string[], input?: string, env: Record<string, string> = {}) {
  const command = [`${ROOT}/src/cli.ts`, 'privacy', ...args];
  const all = { DATABASE_URL: app.database.url, DATA_DIR: scratch.folder, PERSON_SECRET, ...env };
  const started = scratch.run(process.execPath, command, all, input);
  const code = await started.ended;
  return { code, output: started.output() };
}
const privacy = (...args: string[]) => run(args);

it('erases closed debts of every client, keeps amounts, refuses open debts, and leaves an audit entry', async () => {
  const clients = [await app.newClient(), await app.newClient()];
  for (const client of clients) {
    const campaignId = await client.createCampaign();
    const mine = {
      debtorCpf: CPF,
      debtorName: 'Joana Prado',
      debtorPhones: ['+5521980000001', '+5531980000002'],
      debtorEmails: ['joana@exemplo.com.br', 'joana@trabalho.com.br'],
      consentAt: '2025-03-10',
      consentSource: 'Joana assinou no balcão',
    };
    await client.importJson(campaignId, [debtInput(1, mine), debtInput(2, mine), debtInput(3)]);
  }
  await app.query(`update debts set status = 'PAID' where invoice_id in ('NF-1', 'NF-3')`);
  const [first] = clients;
  const debts = async () =>
    app.query<Record<'id' | 'debtor_name' | 'original_amount_centavos', string>>(
      'select * from debts where client_id = $1 order by position',
      [first!.id],
    );
  const [paid, open] = await debts();
  await app.query(
    `insert into messages (client_id, debt_id, direction, channel, phone, purpose, text, delivery, at)
      values ($1, $2, 'out', 'sandbox', '+5521980000001', 'collection', 'Olá, Joana', 'sent', now())`,
    [first!.id, paid!.id],
  );

  await app.query(
    `insert into charges (client_id, debt_id, attempt, provider, method, note, status, amount_centavos, paid_centavos,
       expires_at, approved_at, duplicate)
     values ($1, $2, 1, 'outside', 'cash', 'Joana pagou no balcão', 'APPROVED', 15075, 15075, now(), now(), true)`,
    [first!.id, paid!.id],
  );

  for (const debt of [paid, open]) {
    const note = { text: 'Joana pediu boleto' };
    expect((await first!.call('POST', `/api/debts/${debt!.id}/notes`, note)).status).toBe(201);
  }

  const { code, output } = await privacy('erase', '--cpf', '529.982.247-25');
  expect(code).toBe(1);
  expect(output.match(/^erased\t/gm)).toHaveLength(2);
  expect(output.match(/^refused\t.*is IMPORTED.*open debt/gm)).toHaveLength(2);
  expect(output).toContain(`refused\t${open!.id}`);

  const after = await debts();
  expect(after.map((debt) => debt.debtor_name)).toEqual(['(dados apagados)', 'Joana Prado', 'Maria da Conceição 3']);
  expect(after[0]).toMatchObject({ debtor_phone: '', debtor_tax_id: '', debtor_email: null, debtor_emails: null });
  expect(after[0]).toMatchObject({ consent_at: null, consent_source: null });
  expect(after[1]).toMatchObject({ consent_at: '2025-03-10', consent_source: 'Joana assinou no balcão' });
  const phones = await app.query('select debt_id, count(*)::int from debt_phones where client_id = $1 group by 1', [
    first!.id,
  ]);
  expect(phones).toEqual([{ debt_id: open!.id, count: 3 }]);
  expect(after[0]!.original_amount_centavos).toBe(paid!.original_amount_centavos);
  expect(await app.query('select text, phone from messages where debt_id = $1', [paid!.id])).toEqual([
    { text: '', phone: null },
  ]);
  expect(await app.query('select note from charges where debt_id = $1', [paid!.id])).toEqual([{ note: null }]);
  expect(await app.query('select debt_id, text from debt_notes order by text', [])).toEqual([
    { debt_id: paid!.id, text: '' },
    { debt_id: open!.id, text: 'Joana pediu boleto' },
  ]);
  const { status, body } = await first!.call('GET', `/api/debts/${paid!.id}`);
  expect(body.timeline.find(({ kind }: { kind: string }) => kind === 'note')).toMatchObject({ text: '' });
  expect([status, body.status, body.originalAmount, body.invoiceId]).toEqual([200, 'PAID', 150.75, 'NF-1']);
  expect([body.debtorPhones, body.debtorEmails]).toEqual([[], []]);

  const audit = await app.query<{ actor: string; details: object }>(
    `select * from audit_log where action = 'privacy_erased'`,
  );
  expect(audit.map(({ actor, details }) => [actor, details])).toEqual(
    Array(2).fill(['operator', { erased: 1, refused: 1 }]),
  );
  expect(JSON.stringify(audit)).not.toMatch(/52998224725|Joana/);
  expect(output).toMatch(/Civil Code.*206 § 5 I.*docs\/privacy\.md/s);
  const used = await app.query(
    `select client_id, actor, target, ip, details from audit_log where action = 'command_used'`,
  );
  expect(used).toEqual([
    {
      client_id: null,
      actor: 'operator',
      target: 'privacy erase',
      ip: 'command',
      details: { done: true, client: null },
    },
  ]);
});

it('reports when there is no debt, and prints its usage', async () => {
  expect(await privacy('erase', '--cpf=11144477735')).toEqual({
    code: 0,
    output: 'No debt of this person is stored\n',
  });
  expect(await privacy('erase', '--cpf', '11144477736')).toEqual({ code: 1, output: 'This is not a valid CPF\n' });
  expect(await privacy('erase', '--cnpj=11222333000182')).toEqual({ code: 1, output: 'This is not a valid CNPJ\n' });
  expect(await privacy('erase', '--cnpj', CPF)).toEqual({ code: 1, output: 'This is not a valid CNPJ\n' });
  for (const args of [
    [],
    ['erase'],
    ['erase', '--cpf'],
    ['erase', CPF],
    ['erase', '--cpf', CPF, 'x'],
    ['erase', '--x=1'],
  ]) {
    const { code, output } = await privacy(...args);
    expect([code, output.startsWith('Usage:')]).toEqual([1, true]);
  }
});

describe('the CPF', () => {
  it('is read as one line of standard input, so that no history and no list of processes contains it', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    const debtorCpf = cpfOf(400_000_001);
    await client.importJson(campaignId, [debtInput(1, { debtorCpf })]);
    await app.query(`update debts set status = 'STOPPED' where client_id = $1`, [client.id]);
    const { code, output } = await run(['erase'], ` ${debtorCpf} \nsomething else`);
    expect([code, output.match(/^erased\t/gm)?.length]).toEqual([0, 1]);
    expect(output).not.toContain(debtorCpf);
  });

  it('is refused when it is missing, invalid or far too long', async () => {
    expect((await run(['erase'], '\n')).output).toMatch(/^Usage:/);
    expect(await run(['erase'], '11144477736\n')).toEqual({ code: 1, output: 'This is not a valid CPF or CNPJ\n' });
    expect(await run(['erase'], '1'.repeat(5_000_000))).toEqual({
      code: 1,
      output: 'The line on standard input is too long\n',
    });
  });

  // `script` gives the command a terminal of its own, and writes down all that this terminal shows.
  (process.platform === 'linux' ? it : it.skip)('is asked for on a terminal, which does not show it', async () => {
    const shown = join(scratch.folder, 'terminal');
    const cli = `${process.execPath} ${ROOT}/src/cli.ts privacy erase`;
    const sees = (text: string) =>
      `n=0; until grep -qs '${text}' ${shown} || [ $n -gt 400 ]; do n=$((n+1)); sleep 0.1; done`;
    const typing = `(${sees('CPF of')}; sleep 0.3; printf '11144477735\\r'; ${sees('stored')})`;
    const started = scratch.run('sh', ['-c', `${typing} | script -qefc '${cli}' ${shown} >/dev/null; cat ${shown}`], {
      DATABASE_URL: app.database.url,
      DATA_DIR: scratch.folder,
      PERSON_SECRET,
    });
    await started.ended;
    expect(started.output()).toMatch(/CPF of the person, or CNPJ: \s*No debt of this person is stored/);
    expect(started.output()).not.toContain('11144477735');
  });
});

it('does not generate the secret of the keys of persons', async () => {
  const { code, output } = await run(['erase', '--cpf', CPF], undefined, { PERSON_SECRET: '' });
  expect([code, output]).toEqual([1, expect.stringMatching(/^PERSON_SECRET is not set and not kept in /)]);
});

it('shows and sets for how long the conversations of a client are kept, within bounds', async () => {
  const { id } = await app.newClient();
  expect(await privacy('retention', id)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/1826 days\tthe default/),
  });
  expect(await privacy('retention', id, '400')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/400 days\tits own/),
  });
  for (const days of ['179', '3654', '-1', '4e2', '']) {
    expect(await privacy('retention', id, days)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/from 180 to 3653/),
    });
  }
  const stored = () => app.query('select retention_days from clients where id = $1', [id]);
  expect(await stored()).toEqual([{ retention_days: 400 }]);
  expect((await privacy('retention', id, 'default')).code).toBe(0);
  expect(await stored()).toEqual([{ retention_days: null }]);
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await privacy('retention', unknown, '400')).toMatchObject({
    code: 1,
    output: expect.stringContaining('no client'),
  });
  const used = await app.query<{ details: { done: boolean; client: string } }>(
    `select details from audit_log where action = 'command_used' and target = 'privacy retention' order by seq`,
  );
  expect(used.map(({ details }) => [details.client, details.done])).toEqual([
    [id, true],
    [id, true],
    [id, true],
    [unknown, false],
  ]);
});
