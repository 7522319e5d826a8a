import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changedRow, MAX_CHANGE_LENGTH, MAX_CHANGED_ROWS, parseChanges, requireChanged } from './row-changes.ts';

const codeOf = (action: () => unknown): string | undefined => {
  try {
    action();
    return undefined;
  } catch (error) {
    const [problem] = (error as { errors: readonly { pointer: string; code: string }[] }).errors;
    return `${problem!.pointer} ${problem!.code}`;
  }
};
const refusal = (given: unknown) =>
  codeOf(() => parseChanges(typeof given === 'string' ? given : JSON.stringify(given)));

describe('the changes of rows', () => {
  it('are read by the number of the row', () => {
    expect([...parseChanges('{"8": {"CPF": "529"}, "12": null}')]).toEqual([
      [8, new Map([['CPF', '529']])],
      [12, null],
    ]);
    for (const nothing of [undefined, '', '  ', '{}']) expect(parseChanges(nothing).size).toBe(0);
  });

  it.each([
    ['{', '/changes invalid_format'],
    ['[]', '/changes invalid_type'],
    ['null', '/changes invalid_type'],
    [{ x: null }, '/changes invalid_value'],
    [{ 0: null }, '/changes invalid_value'],
    [{ '-1': null }, '/changes invalid_value'],
    [{ 2: 'x' }, '/changes invalid_type'],
    [{ 2: { CPF: 1 } }, '/changes invalid_type'],
    [{ 2: { CPF: 'x'.repeat(MAX_CHANGE_LENGTH + 1) } }, '/changes too_long'],
    [{ 2: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`c${at}`, ''])) }, '/changes too_long'],
    [Object.fromEntries(Array.from({ length: MAX_CHANGED_ROWS + 1 }, (_, at) => [at + 1, null])), '/changes too_long'],
  ])('%j is %s', (given, expected) => expect(refusal(given)).toBe(expected));

  it('never end in anything but an answer or a refusal', () => {
    fc.assert(fc.property(fc.json(), (text) => /^(undefined|\/changes \w+)$/.test(String(refusal(text)))));
  });

  it('of rows and columns that do not exist are refused', () => {
    const changes = parseChanges('{"8": {"CPF": "529"}}');
    expect(codeOf(() => requireChanged(changes, new Set([8]), new Set(['CPF'])))).toBeUndefined();
    expect(codeOf(() => requireChanged(changes, new Set([9]), new Set(['CPF'])))).toBe('/changes unknown_row');
    expect(codeOf(() => requireChanged(changes, new Set([8]), new Set(['Nome'])))).toBe('/changes unknown_header');
  });

  it('take the place of cells, also behind the last filled one', () => {
    const row = { row: 8, cells: ['Ana', 1] };
    const positions = new Map([...'ABCD'].map((header, at) => [header, at]));
    const changed = changedRow(
      row,
      new Map([
        ['B', ' 2 '],
        ['D', 'x'],
      ]),
      positions,
    );
    expect(changed).toEqual({ row: 8, cells: ['Ana', '2', null, 'x'] });
  });
});
