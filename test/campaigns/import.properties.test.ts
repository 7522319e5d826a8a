import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sendFile, startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { type WrittenCell, writeWorkbook } from '../../testing/workbook.ts';

const RUNS = { numRuns: 40 };
const FIELDS = [
  'debtorName',
  'debtorPhone',
  'debtorCpf',
  'originalAmount',
  'dueDate',
  'invoiceId',
  'debtorEmail',
] as const;
type Field = (typeof FIELDS)[number];
type Element = Partial<Record<Field, string | number>>;

const AREA_CODES = ['11', '21', '47', '61', '81', '97'];
const text = (min: number) =>
  fc.string({ unit: fc.constantFrom(...'aàçñZ9 "\';,=+@\\{}|😀'), minLength: min, maxLength: 30 });

const name = text(0).map((rest) => `Jo${rest}x`);
const phone = fc
  .tuple(fc.constantFrom(...AREA_CODES), fc.integer({ min: 0, max: 99_999_999 }))
  .map(([code, n]) => `${code}9${String(n).padStart(8, '0')}`);
const cpf = fc
  .integer({ min: 1, max: 999_999_998 })
  .filter((n) => n % 111_111_111 !== 0)
  .map(cpfOf);
const reais = fc.integer({ min: 1, max: 9_999_999_999 }).map((centavos) => centavos / 100);
const date = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
// There are few values, so that duplicates occur.
const invoice = fc.option(
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('NF', 'nf')).map(([n, name]) => `${name} ${n}`),
  { nil: undefined },
);
const email = fc.option(fc.constantFrom('a@b.com.br', 'x.y@escola.com'), { nil: undefined });

const valid: fc.Arbitrary<Element> = fc
  .record({
    debtorName: name,
    debtorPhone: phone,
    debtorCpf: cpf,
    originalAmount: reais,
    dueDate: date,
    invoiceId: invoice,
    debtorEmail: email,
  })
  .map((debt) => debt as Element);

const broken: fc.Arbitrary<Element> = fc
  .tuple(
    valid,
    fc.constantFrom<[Field, string | number | undefined]>(
      ['debtorName', undefined],
      ['debtorName', 'J'],
      ['debtorPhone', '1198765432'],
      ['debtorCpf', '52998224726'],
      ['originalAmount', 10.999],
      ['originalAmount', -5],
      ['originalAmount', 0],
      ['dueDate', '2026-02-30'],
      ['dueDate', undefined],
      ['debtorEmail', 'nobody'],
      ['invoiceId', 'n'.repeat(101)],
    ),
  )
  .map(([debt, [field, value]]) => ({ ...debt, [field]: value }));

const lists = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: valid.map((element) => ({ element, good: true })) },
    { weight: 1, arbitrary: broken.map((element) => ({ element, good: false })) },
  ),
  { minLength: 1, maxLength: 25 },
);

/** Whether two debts are the same, in a second and simple implementation of the rule. */
const areSame = (one: Element, other: Element): boolean =>
  one.invoiceId !== undefined && other.invoiceId !== undefined
    ? String(one.invoiceId).toLowerCase() === String(other.invoiceId).toLowerCase()
    : one.debtorCpf === other.debtorCpf && one.originalAmount === other.originalAmount && one.dueDate === other.dueDate;

const csvCell = (value: string | number | undefined): string => `"${String(value ?? '').replaceAll('"', '""')}"`;
const csvOf = (elements: readonly Element[]): string =>
  [FIELDS.join(';'), ...elements.map((element) => FIELDS.map((field) => csvCell(element[field])).join(';'))].join('\n');

/** A real date where there is one, so that the workbook has cells of all types. */
const sheetCell = (field: Field, value: string | number | undefined): WrittenCell => {
  const date = field === 'dueDate' && value !== '2026-02-30' ? value : undefined;
  return date === undefined ? value : new Date(`${date}T00:00:00Z`);
};
const workbookOf = (elements: readonly Element[]) =>
  writeWorkbook({ A: [FIELDS, ...elements.map((element) => FIELDS.map((field) => sheetCell(field, element[field])))] });

const app = await opened(startCampaignsApp());
const client = await app.newClient();

describe('import, for any list of valid and invalid elements', () => {
  /** Empties one client for each round, because a new client costs the hash of a password. */
  const begin = async (): Promise<string> => {
    await app.query("update debts set status = 'STOPPED' where client_id = $1", [client.id]);
    return client.createCampaign();
  };
  const storedIn = async (campaignId: string) =>
    (await client.call('GET', `/api/campaigns/${campaignId}/debts?limit=100`)).body.items.map(
      ({ id: _id, campaignId: _campaign, ...debt }: Record<string, unknown>) => debt,
    );

  it('imports exactly the valid elements once, and nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        const campaignId = await begin();
        const elements = list.map(({ element }) => element);
        const expected: typeof list = [];
        for (const one of list) {
          if (one.good && !expected.some(({ element }) => areSame(element, one.element))) expected.push(one);
        }

        const first = (await client.importJson(campaignId, elements)).body;
        expect([first.imported, first.imported + first.skipped]).toEqual([expected.length, list.length]);
        const wrong = new Set(first.errors.map(({ index }: { index: number }) => index));
        expect(wrong.size).toBe(first.skipped);

        const stored = await storedIn(campaignId);
        expect(stored.map((debt: Element) => debt.originalAmount)).toEqual(
          expected.map(({ element }) => element.originalAmount),
        );
        expect(stored.map((debt: Element) => debt.debtorName)).toEqual(
          expected.map(({ element }) => String(element.debtorName).trim()),
        );

        const second = (await client.importJson(campaignId, elements)).body;
        expect([second.imported, second.skipped]).toEqual([0, list.length]);
        expect(await storedIn(campaignId)).toEqual(stored);
      }),
      RUNS,
    );
  });

  it('imports the list as CSV with the same result as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        const elements = list.map(({ element }) => element);
        const byJson = await begin();
        const json = (await client.importJson(byJson, elements)).body;
        const fromJson = await storedIn(byJson);
        const byCsv = await begin();
        const csv = (await client.importCsv(byCsv, csvOf(elements))).body;
        const withoutRows = csv.errors.map(({ row: _row, ...rest }: Record<string, unknown>) => rest);
        expect({ ...csv, errors: withoutRows }).toEqual(json);
        expect(await storedIn(byCsv)).toEqual(fromJson);
      }),
      RUNS,
    );
  });

  it('imports the list as a workbook with the same result as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        const elements = list.map(({ element }) => element);
        const byJson = await begin();
        const { errors, ...json } = (await client.importJson(byJson, elements)).body;
        const fromJson = await storedIn(byJson);
        const byFile = await begin();
        const file = (await sendFile(app, client, byFile, await workbookOf(elements))).body;
        const withoutCells = file.errors.map(
          ({ row: _row, header: _header, value: _value, ...rest }: Record<string, unknown>) => rest,
        );
        expect({ ...json, errors }).toEqual({ imported: file.imported, skipped: file.skipped, errors: withoutCells });
        expect(await storedIn(byFile)).toEqual(fromJson);
        const sum = fromJson.reduce((total: number, debt: Element) => total + Number(debt.originalAmount), 0);
        expect([file.rows, file.amount]).toEqual([elements.length, expect.closeTo(sum, 2)]);
      }),
      { numRuns: 15 },
    );
  });
});
