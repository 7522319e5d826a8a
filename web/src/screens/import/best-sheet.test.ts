import { describe, expect, it } from '@jest/globals';
import type { ImportFileResult } from '../../api/client.ts';
import { bestSheet } from './best-sheet.ts';

const sheets = ['Capa', 'Turmas', 'Em aberto', 'Pagos'];
const answer = (missing: ImportFileResult['missing']): ImportFileResult => ({
  imported: 0,
  skipped: 0,
  errors: [],
  columns: [],
  sheets,
  rows: 3,
  ignored: 0,
  ignoredRows: [],
  leftOut: 0,
  warnings: [],
  warned: 0,
  amount: 0,
  ...(missing && { missing }),
});
const READ: Readonly<Record<string, ImportFileResult | null>> = {
  Capa: answer(['debtorName', 'debtorPhone', 'dueDate']),
  Turmas: null,
  'Em aberto': answer(['debtorPhone']),
  Pagos: answer(['debtorPhone']),
};

describe('the sheet of a workbook', () => {
  it('is the first one that lacks the fewest columns', async () => {
    const { sheet } = await bestSheet(answer(['debtorName']), async (name) => READ[name] ?? null);
    expect(sheet).toBe('Em aberto');
  });

  it('is looked for no further than to a sheet that lacks nothing', async () => {
    const asked: string[] = [];
    await bestSheet(answer(undefined), async (name) => {
      asked.push(name);
      return answer(undefined);
    });
    expect(asked).toEqual(['Capa']);
  });

  it('is the one that was chosen before, while the workbook still has it', async () => {
    const read = async (name: string) => READ[name] ?? null;
    const first = answer(['debtorName']);
    expect((await bestSheet(first, read, 'Pagos')).sheet).toBe('Pagos');
    expect((await bestSheet(first, read, 'Julho')).sheet).toBe('Em aberto');
    expect((await bestSheet(first, read, 'Turmas')).sheet).toBe('Em aberto');
  });

  it('is not asked for when there is only one', async () => {
    const only = { ...answer(undefined), sheets: [] };
    expect(await bestSheet(only, () => Promise.reject(new Error('asked')))).toEqual({ sheet: null, answer: only });
  });
});
