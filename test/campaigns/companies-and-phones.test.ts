import { beforeEach, describe, expect, it } from '@jest/globals';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const CNPJ = '11222333000181';
const WITH_LETTERS = '12ABC34501DE35';
const PHONES = ['+5511980000001', '+5521980000002', '+5568980000003'];

let client: TestClient;
let campaignId: string;

const app = await opened(startCampaignsApp());
beforeEach(async () => {
  client = await app.newClient();
  campaignId = await client.createCampaign();
});

/** A debt of a company. */
const companyDebt = (n: number, given: object = {}) => {
  const { debtorCpf: _, ...rest } = debtInput(n, { debtorName: 'Padaria Pão Quente Ltda' });
  return { ...rest, debtorCnpj: CNPJ, ...given };
};
const debts = async () => (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
const problemsOf = ({ body }: { body: { errors: { pointer: string; code: string }[] } }): string[] =>
  body.errors.map(({ pointer, code }) => `${pointer} ${code}`);
const imported = async (...elements: object[]) => {
  const answer = await client.importJson(campaignId, elements);
  expect(problemsOf(answer)).toEqual([]);
  return debts();
};
const refused = async (element: object) => {
  const answer = await client.importJson(campaignId, [element]);
  expect(answer.body.imported).toBe(0);
  return problemsOf(answer);
};

describe('a debtor that is a company', () => {
  it.each([
    [CNPJ, CNPJ],
    ['11.222.333/0001-81', CNPJ],
    ['12.abc.345/01de-35', WITH_LETTERS],
  ])('is imported with the CNPJ %s, and has no CPF', async (debtorCnpj, stored) => {
    const [debt] = await imported(companyDebt(1, { debtorCnpj, debtorCpf: null }));
    expect(debt).toMatchObject({ debtorCpf: null, debtorCnpj: stored, debtorName: 'Padaria Pão Quente Ltda' });
    expect((await client.call('GET', `/api/debts/${debt.id}`)).body).toMatchObject({
      debtorCpf: null,
      debtorCnpj: stored,
    });
  });

  it('is not a person, who has a CPF and no CNPJ', async () => {
    expect(await imported(debtInput(1, { debtorCnpj: null }))).toMatchObject([
      { debtorCpf: cpfOf(100_000_001), debtorCnpj: null },
    ]);
  });

  it.each<[string, object, string]>([
    ['neither number', { debtorCnpj: undefined }, '/debts/0/debtorCpf required'],
    ['both numbers', { debtorCpf: cpfOf(1) }, '/debts/0/debtorCnpj cnpj_invalid'],
    ['wrong check digits', { debtorCnpj: '11222333000182' }, '/debts/0/debtorCnpj cnpj_invalid'],
    ['a CPF as CNPJ', { debtorCnpj: cpfOf(1) }, '/debts/0/debtorCnpj cnpj_invalid'],
    ['a number as CNPJ', { debtorCnpj: 11_222_333_000_181 }, '/debts/0/debtorCnpj invalid_type'],
    ['a name that threatens', { debtorName: 'PAGUE HOJE ou vai ao SERASA' }, '/debts/0/debtorName name_invalid'],
    ['a name with a link', { debtorName: 'Bar https://golpe.example/pix' }, '/debts/0/debtorName name_invalid'],
    ['an invoice with a link', { invoiceId: 'golpe.com/pix' }, '/debts/0/invoiceId invoice_invalid'],
    ['a CNPJ as CPF', { debtorCnpj: undefined, debtorCpf: CNPJ }, '/debts/0/debtorCpf cpf_invalid'],
  ])('is refused with %s', async (_, given, problem) => {
    expect(await refused(companyDebt(1, given))).toEqual([problem]);
  });

  it('has debts that are recognised when they are imported again', async () => {
    const first = companyDebt(1, { invoiceId: undefined });
    await imported(first, companyDebt(2, { debtorCnpj: WITH_LETTERS, invoiceId: undefined }));
    const again = [
      { ...first, debtorCnpj: '11.222.333/0001-81' },
      companyDebt(1),
      companyDebt(2, { debtorCnpj: '12.abc.345/01de-35', invoiceId: undefined }),
      debtInput(1, { invoiceId: undefined }),
    ];
    const { body } = await client.importJson(campaignId, again);
    expect(body.imported).toBe(1);
    expect(body.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [0, 'duplicate'],
      [1, 'duplicate'],
      [2, 'duplicate'],
    ]);
  });

  it('continues an ended debt that is imported again as the same debt', async () => {
    const element = companyDebt(1, { invoiceId: undefined });
    await imported(element);
    await app.query(`update debts set status = 'STOPPED' where client_id = $1`, [client.id]);
    await imported(element);
    const rows = await app.query<{ identity_id: string }>('select identity_id from debts where client_id = $1', [
      client.id,
    ]);
    expect(new Set(rows.map((row) => row.identity_id)).size).toBe(1);
  });
});

describe('several phones and e-mail addresses', () => {
  it('are stored and shown in order, and the first is the one in use', async () => {
    const debtorEmails = ['A@Padaria.com.br', 'b@padaria.com.br'];
    const [debt] = await imported(debtInput(1, { debtorPhone: undefined, debtorPhones: PHONES, debtorEmails }));
    const shown = {
      debtorPhone: PHONES[0],
      debtorPhones: PHONES,
      debtorEmail: 'a@padaria.com.br',
      debtorEmails: ['a@padaria.com.br', 'b@padaria.com.br'],
    };
    expect(debt).toMatchObject(shown);
    expect((await client.call('GET', `/api/debts/${debt.id}`)).body).toMatchObject(shown);
  });

  it('are one when the debt has one, and no address when it has none', async () => {
    const given = debtInput(1);
    expect(await imported(given)).toMatchObject([
      { debtorPhone: given.debtorPhone, debtorPhones: [given.debtorPhone], debtorEmail: null, debtorEmails: [] },
    ]);
  });

  it('follow the single field, and each counts once', async () => {
    const debtorPhones = ['(21) 98000-0002', '11 98000-0001', '021980000002', '68980000003'];
    const [debt] = await imported(
      debtInput(1, {
        debtorPhone: '11980000001',
        debtorPhones,
        debtorEmail: 'z@a.com.br',
        debtorEmails: ['z@a.com.br'],
      }),
    );
    expect(debt).toMatchObject({ debtorPhone: PHONES[0], debtorPhones: PHONES, debtorEmails: ['z@a.com.br'] });
  });

  it.each<[string, object, string[]]>([
    ['a bad phone', { debtorPhones: [PHONES[0], '123'] }, ['/debts/0/debtorPhones/1 phone_invalid']],
    [
      'two bad phones',
      { debtorPhones: ['1', 2] },
      ['/debts/0/debtorPhones/0 phone_invalid', '/debts/0/debtorPhones/1 invalid_type'],
    ],
    ['a bad single phone', { debtorPhone: '1', debtorPhones: PHONES }, ['/debts/0/debtorPhone phone_invalid']],
    ['null in the list', { debtorPhones: [null] }, ['/debts/0/debtorPhones/0 invalid_type']],
    ['a text as list', { debtorPhones: PHONES[0] }, ['/debts/0/debtorPhones invalid_type']],
    ['six phones', { debtorPhones: Array(6).fill(PHONES[0]) }, ['/debts/0/debtorPhones too_long']],
    ['no phone at all', { debtorPhone: undefined, debtorPhones: [] }, ['/debts/0/debtorPhone required']],
    ['a bad address', { debtorEmails: ['a@b.com.br', 'x'] }, ['/debts/0/debtorEmails/1 email_invalid']],
    ['six addresses', { debtorEmails: Array(6).fill('a@b.com.br') }, ['/debts/0/debtorEmails too_long']],
  ])('are refused with %s', async (_, given, problems) => {
    expect(await refused(debtInput(1, given))).toEqual(problems);
  });

  it('are at most five together with the single phone', async () => {
    const five = Array.from({ length: 5 }, (_, n) => `+551198100000${n}`);
    expect(await refused(debtInput(1, { debtorPhone: PHONES[0], debtorPhones: five }))).toEqual([
      '/debts/0/debtorPhones too_long',
    ]);
    const [debt] = await imported(debtInput(1, { debtorPhone: five[4], debtorPhones: five }));
    expect(debt.debtorPhones).toEqual([five[4], ...five.slice(0, 4)]);
  });
});

describe('the CSV import', () => {
  const csv = (header: string, ...rows: string[]) =>
    client.importCsv(
      campaignId,
      [`${header};valor;vencimento`, ...rows.map((row, n) => `${row};10${n},00;05/10/2026`)].join('\n'),
    );

  it.each(['CPF/CNPJ', 'CNPJ / CPF', 'CPF ou CNPJ', 'cpf_cnpj'])(
    'reads both numbers from a column "%s"',
    async (header) => {
      const { body } = await csv(
        `nome;telefone;${header}`,
        `Ana;11980000001;${cpfOf(1)}`,
        'Padaria;11980000001;12.abc.345/01de-35',
        'Errada;11980000001;11222333000182',
        'Errado;11980000001;52998224726',
        'Sem;11980000001;',
      );
      expect(problemsOf({ body })).toEqual([
        '/debts/2/debtorCnpj cnpj_invalid',
        '/debts/3/debtorCpf cpf_invalid',
        '/debts/4/debtorCpf required',
      ]);
      expect(await debts()).toMatchObject([
        { debtorCpf: cpfOf(1), debtorCnpj: null },
        { debtorCpf: null, debtorCnpj: WITH_LETTERS },
      ]);
    },
  );

  it('reads a column of each number, of which a row fills one', async () => {
    const { body } = await csv(
      'nome;telefone;cpf;CNPJ',
      `Ana;11980000001;${cpfOf(1)};`,
      `Padaria;11980000001;;${CNPJ}`,
      `Ambos;11980000001;${cpfOf(2)};${CNPJ}`,
    );
    expect(problemsOf({ body })).toEqual(['/debts/2/debtorCnpj cnpj_invalid']);
    expect(await debts()).toMatchObject([{ debtorCpf: cpfOf(1) }, { debtorCnpj: CNPJ }]);
  });

  it('reads every phone and address of a row, in the order of the columns', async () => {
    const { body } = await csv(
      'nome;debtorPhones;telefone;Celular 2;cpf;E-mail;email 2',
      `Ana;"68980000003 / (11) 98000-0001";11980000001;(21) 98000-0002;${cpfOf(1)};a@b.com.br;c@d.com.br`,
      `Bia;;"(11) 98000-0001\n(21) 98000-0002";;${cpfOf(2)};"a@b.com.br; c@d.com.br";`,
      `Caio;;;21980000002;${cpfOf(3)};;`,
    );
    expect(problemsOf({ body })).toEqual([]);
    const emails = ['a@b.com.br', 'c@d.com.br'];
    expect(await debts()).toMatchObject([
      { debtorPhone: PHONES[0], debtorPhones: PHONES, debtorEmails: emails },
      { debtorPhones: PHONES.slice(0, 2), debtorEmail: 'a@b.com.br', debtorEmails: emails },
      { debtorPhones: [PHONES[1]], debtorEmails: [] },
    ]);
  });

  it('reports each bad phone with its place', async () => {
    const { body } = await csv(
      'nome;telefone;telefone 2;cpf',
      `Ana;11980000001;123;${cpfOf(1)}`,
      `Bia;123;;${cpfOf(2)}`,
      `Caio;"${'11980000001;'.repeat(7)}";;${cpfOf(3)}`,
      // The second number is not complete, so nobody can tell which phone is meant.
      `Dora;11 98000-0001/0002;;${cpfOf(4)}`,
    );
    expect(problemsOf({ body })).toEqual([
      '/debts/0/debtorPhones/1 phone_invalid',
      '/debts/1/debtorPhone phone_invalid',
      '/debts/2/debtorPhones too_long',
      '/debts/3/debtorPhones/1 phone_invalid',
    ]);
    expect(body.errors.map(({ row }: { row: number }) => row)).toEqual([2, 3, 4, 5]);
  });
});
