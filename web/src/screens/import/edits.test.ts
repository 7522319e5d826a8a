import { describe, expect, it } from '@jest/globals';
import { changesOf, countCells, editCell, isFull, isSameEdits, leaveOut, MAX_ROWS, NO_EDITS } from './edits.ts';

const cpf = { row: 8, header: 'CPF', value: '123' };
const edited = editCell(NO_EDITS, NO_EDITS, cpf, '529');

describe('the corrections on the page', () => {
  it('are sent by row and header, and a row that is left out as null', () => {
    expect(changesOf(NO_EDITS)).toBeNull();
    expect(changesOf(edited)).toBe('{"8":{"CPF":"529"}}');
    expect(changesOf(leaveOut(leaveOut(edited, 8, true), 12, true))).toBe('{"8":null,"12":null}');
    expect(countCells(editCell(edited, NO_EDITS, { ...cpf, header: 'Nome' }, 'Ana'))).toBe(2);
  });

  it('end when the text is as the file has it', () => {
    expect(changesOf(editCell(edited, NO_EDITS, cpf, '123'))).toBeNull();
    expect(changesOf(editCell(edited, NO_EDITS, { ...cpf, value: null }, ''))).toBeNull();
    expect(changesOf(leaveOut(leaveOut(NO_EDITS, 8, true), 8, false))).toBeNull();
  });

  it('that were checked stay when a later text is taken back', () => {
    const shown = { ...cpf, value: '529' };
    const again = editCell(edited, edited, shown, '5299');
    expect(isSameEdits(again, edited)).toBe(false);
    expect(isSameEdits(editCell(again, edited, shown, '529'), edited)).toBe(true);
  });

  it('are as many rows as the server takes', () => {
    let many = NO_EDITS;
    for (let row = 1; row < MAX_ROWS; row += 1) many = leaveOut(many, row, true);
    expect(isFull(many)).toBe(false);
    expect(isFull(leaveOut(many, MAX_ROWS, true))).toBe(true);
  });
});
