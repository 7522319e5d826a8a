import { describe, expect, it } from '@jest/globals';
import type { Column, Field } from './fields.ts';
import { readRemembered, remember } from './remembered.ts';

function storage(begin: string | null = null) {
  let stored = begin;
  return { getItem: () => stored, setItem: (_key: string, value: string) => (stored = value), text: () => stored };
}
const column = (header: string, field: Field | null): Column => ({
  header,
  field,
  looksLike: null,
  proposed: null,
  samples: ['Ana Souza'],
});

describe('the remembered columns', () => {
  it('are the choices that differ from the guess, by header, without any sample', () => {
    const kept = storage();
    const guessed = [column('Aluno', 'debtorName'), column('Contato', null), column('Obs', null)];
    const mapping = new Map<string, Field | null>([
      ['Aluno', 'debtorName'],
      ['Contato', 'debtorPhone'],
      ['Obs', null],
    ]);
    remember(kept, { mapping, guessed });
    expect(kept.text()).toBe('[["Contato","debtorPhone"]]');
    expect([...readRemembered(kept)]).toEqual([['Contato', 'debtorPhone']]);
    remember(kept, { mapping: new Map([['Contato', null]]), guessed: [column('Contato', null)] });
    expect([...readRemembered(kept)]).toEqual([]);
  });

  it('are what became of a proposal too, so that one that was wrong is not made again', () => {
    const kept = storage();
    const proposal: Column = { ...column('Recado', null), looksLike: 'debtorPhone', proposed: 'debtorPhone' };
    remember(kept, { mapping: new Map([['Recado', null]]), guessed: [proposal] });
    expect([...readRemembered(kept)]).toEqual([['Recado', null]]);
    remember(kept, { mapping: new Map([['Recado', 'debtorPhone']]), guessed: [proposal] });
    expect([...readRemembered(kept)]).toEqual([['Recado', 'debtorPhone']]);
  });

  it('are nothing of a sheet without a header, whose first row is a person', () => {
    const kept = storage();
    const guessed = [column('Ana Souza', null), column('529.982.247-25', null)];
    remember(kept, { mapping: new Map([['Ana Souza', 'debtorName']]), guessed });
    expect(kept.text()).toBeNull();
  });

  it.each(['{', 'null', '{"a":1}', '[1,["x","nothing"]]'])('survive %s in the storage', (text) => {
    expect([...readRemembered(storage(text)).values()].every((field) => field === null)).toBe(true);
  });
});
