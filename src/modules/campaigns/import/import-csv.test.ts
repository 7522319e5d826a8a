import { describe, expect, it } from '@jest/globals';
import { expectCostBelow } from '../../../../testing/cpu-cost.ts';
import { delimiterOf } from './csv/columns.ts';
import { readCsv } from './import-csv.ts';

const rowsOf = (text: string) =>
  text
    .split('\n')
    .map((line, at) => ({ row: at + 1, cells: line.split(';') }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));

const NAMES = 'nome;telefone;cpf;valor;vencimento';

async function* sheetOf(text: string) {
  yield rowsOf(text);
}

const read = async (text: string) => {
  const elements: unknown[] = [];
  for await (const batch of readCsv(sheetOf(text))) elements.push(...batch.elements);
  return elements;
};

const problemsOf = async (text: string): Promise<unknown> => {
  try {
    return await read(text);
  } catch (error) {
    return (error as { errors: unknown }).errors;
  }
};

describe('the columns of a CSV', () => {
  const header = (unknown: number) => `${NAMES}${';x'.repeat(unknown)}`;

  it('are at most 200', async () => {
    expect(await read(`${header(195)}\nJoão${';'.repeat(199)}`)).toEqual([{ debtorName: 'João' }]);
    expect(await problemsOf(`${header(196)}\nJoão${';'.repeat(200)}`)).toEqual([
      { pointer: '/file', code: 'too_long', message: 'A file may have at most 200 columns' },
    ]);
  });

  it('cost no time when they are unknown or lie beyond the header', async () => {
    expect(await read(`x;${NAMES};y\n1;João;;;;;2;3;4${';5'.repeat(10_000)}`)).toEqual([{ debtorName: 'João' }]);
  });

  it('cannot make a file of 40 kB block the event loop', async () => {
    const files = [
      `${header(10_000)}\n${'a\n'.repeat(10_000)}`,
      `${NAMES}${';nome'.repeat(8_000)}\n`,
      `${'é'.repeat(20_000)}\n`,
      `${NAMES}\n${'a\n'.repeat(20_000)}`,
      `${NAMES}\n${'\n'.repeat(40_000)}`,
      `${NAMES}\n${';;;;;;;;;;;;;;;;;;;x\n'.repeat(2_000)}`,
    ];
    for (const text of files) {
      // It took 200 units when each row read every column, or when each short row created an error.
      await expectCostBelow(60, () => problemsOf(text));
    }
    const delimiters = `${',;\t'.repeat(20_000)}\n`;
    expect(delimiterOf(delimiters)).toBe(',');
    await expectCostBelow(10, () => delimiterOf(delimiters));
  });
});
