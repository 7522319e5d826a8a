import { beforeEach, describe, expect, it } from '@jest/globals';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const SOURCE = 'Contrato de matrícula, cláusula 12';

let client: TestClient;
let campaignId: string;

const app = await opened(startCampaignsApp());
beforeEach(async () => {
  client = await app.newClient();
  campaignId = await client.createCampaign();
});

const debts = async () => (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
const problemsOf = ({ body }: { body: { errors: { pointer: string; code: string }[] } }): string[] =>
  body.errors.map(({ pointer, code }) => `${pointer} ${code}`);
const imported = async (given: object) => {
  expect((await client.importJson(campaignId, [debtInput(1, given)])).body.errors).toEqual([]);
  return (await debts())[0];
};
const refused = async (given: object) => {
  const answer = await client.importJson(campaignId, [debtInput(1, given)]);
  expect([answer.body.imported, answer.body.skipped]).toEqual([0, 1]);
  return problemsOf(answer);
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('the consent of an imported debt', () => {
  it('is answered in the list and alone, with the time of day only where it was given', async () => {
    const consent = { consentAt: '2025-03-10', consentSource: SOURCE };
    const debt = await imported({ ...consent, consentSource: `  ${SOURCE} ` });
    expect(debt).toMatchObject(consent);
    expect((await client.call('GET', `/api/debts/${debt.id}`)).body).toMatchObject(consent);
  });

  it.each([
    ['2025-03-10T23:30:00-03:00', '2025-03-11T02:30:00.000Z'],
    ['1990-01-01', '1990-01-01'],
    [inDays(0).slice(0, 10), inDays(0).slice(0, 10)],
  ])('at %s is stored without a source', async (consentAt, stored) => {
    expect(await imported({ consentAt, consentSource: null })).toMatchObject({
      consentAt: stored,
      consentSource: null,
    });
  });

  it('is null where it is not given', async () => {
    expect(await imported({})).toMatchObject({ consentAt: null, consentSource: null, description: null });
    await client.importJson(campaignId, [debtInput(2, { consentAt: null, consentSource: null })]);
    expect((await debts())[1]).toMatchObject({ consentAt: null, consentSource: null });
  });

  it('keeps a source of 200 characters, whatever it looks like', async () => {
    const consentSource = `"{\\,}' <b>=1+1 ${'😀'.repeat(185)}`;
    expect([...consentSource]).toHaveLength(200);
    expect(await imported({ consentAt: '2025-03-10', consentSource })).toMatchObject({ consentSource });
  });

  it.each<[object, string[]]>([
    [{ consentAt: inDays(2).slice(0, 10) }, ['consentAt date_invalid']],
    [{ consentAt: inDays(1) }, ['consentAt date_invalid']],
    [{ consentAt: '1989-12-31' }, ['consentAt date_invalid']],
    [{ consentAt: '2025-02-30' }, ['consentAt date_invalid']],
    [{ consentAt: '2025-03-10T10:00:00' }, ['consentAt date_invalid']],
    [{ consentAt: '' }, ['consentAt date_invalid']],
    [{ consentAt: 1_741_608_000_000 }, ['consentAt invalid_type']],
    [{ consentAt: '2025-03-10', consentSource: 'x'.repeat(201) }, ['consentSource too_long']],
    [{ consentAt: '2025-03-10', consentSource: 'x'.repeat(1_000_000) }, ['consentSource too_long']],
    [{ consentAt: '2025-03-10', consentSource: ' ' }, ['consentSource invalid_value']],
    [{ consentAt: '2025-03-10', consentSource: 'a\nb' }, ['consentSource invalid_value']],
    [{ consentAt: '2025-03-10', consentSource: 'a\u202eb' }, ['consentSource invalid_value']],
    [{ consentAt: '2025-03-10', consentSource: ['x'] }, ['consentSource invalid_type']],
    [{ consentSource: SOURCE }, ['consentAt required']],
    [{ consentSource: SOURCE, consentAt: null }, ['consentAt required']],
    [{ consentSource: 5 }, ['consentSource invalid_type', 'consentAt required']],
    [{ consentAt: 'ontem', consentSource: '' }, ['consentSource invalid_value', 'consentAt date_invalid']],
  ])('is refused with %j', async (given, problems) => {
    expect(await refused(given)).toEqual(problems.map((problem) => `/debts/0/${problem}`));
  });

  it('has messages that fit its fields', async () => {
    const { body } = await client.importJson(campaignId, [
      debtInput(1, { consentAt: '2025-3-1', consentSource: 'x'.repeat(201) }),
    ]);
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
      'At most 200 characters are taken',
      expect.stringContaining('not in the future'),
    ]);
  });

  it.each([
    ['consentimento;origem do consentimento'],
    ['CONSENT_AT;Consent Source'],
    ['Data do Consentimento;Origem-do-Consentimento'],
  ])('is read from the columns %s of a CSV', async (columns) => {
    const row = (n: number, consent: string) => `Ana;11980000001;${cpfOf(n)};10,00;05/10/2026;${consent}`;
    const csv = [
      `nome;telefone;cpf;valor;vencimento;${columns}`,
      row(1, `10/03/2025;${SOURCE}`),
      row(2, '9/3/2025 14:30;'),
      row(3, '2025-03-10T14:30:00Z;"Formulário ""A"""'),
      row(4, ';'),
      row(5, `;${SOURCE}`),
      row(6, '31/02/2025;'),
    ];
    const answer = await client.importCsv(campaignId, csv.join('\n'));
    expect(problemsOf(answer)).toEqual(['/debts/4/consentAt required', '/debts/5/consentAt date_invalid']);
    expect(answer.body.errors.map(({ row: at }: { row: number }) => at)).toEqual([6, 7]);
    expect(await debts()).toMatchObject([
      { consentAt: '2025-03-10', consentSource: SOURCE },
      { consentAt: '2025-03-09', consentSource: null },
      { consentAt: '2025-03-10T14:30:00.000Z', consentSource: 'Formulário "A"' },
      { consentAt: null, consentSource: null },
    ]);
  });
});

describe('the description of an imported debt', () => {
  it('is answered in the list and alone, and stands on the page of the debt', async () => {
    const description = 'Mensalidade de outubro <b>2026</b>';
    const debt = await imported({ description: ` ${description} ` });
    expect(debt).toMatchObject({ description });
    expect((await client.call('GET', `/api/debts/${debt.id}`)).body).toMatchObject({ description });
    const page = await (await fetch(`${app.url}/checkout/${debt.id}`)).text();
    expect(page).toContain('Mensalidade de outubro &lt;b&gt;2026&lt;/b&gt;');
  });

  it.each([
    ['Sessões de psicoterapia', 'health_data'],
    ['Pague ou vai para o Serasa', 'text_refused'],
    ['x'.repeat(201), 'too_long'],
    ['a\nb', 'invalid_value'],
    [5, 'invalid_type'],
  ])('is refused: %j', async (description, code) => {
    expect(await refused({ description })).toEqual([`/debts/0/description ${code}`]);
  });
});
