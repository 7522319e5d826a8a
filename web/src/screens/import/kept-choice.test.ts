import { describe, expect, it } from '@jest/globals';
import type { Field } from './fields.ts';
import { forgetChoice, keepChoice, keptChoice } from './kept-choice.ts';

function storage(begin: string | null = null) {
  let stored = begin;
  return {
    getItem: () => stored,
    setItem: (_key: string, value: string) => {
      stored = value;
    },
    removeItem: () => {
      stored = null;
    },
    text: () => stored,
  };
}
const choice = {
  campaignId: 'c1',
  name: 'alunos.xlsx',
  sheet: 'Em aberto',
  mapping: new Map<string, Field | null>([
    ['Contato', 'debtorPhone'],
    ['Obs', null],
  ]),
};

describe('the choice that outlives a reload', () => {
  it('is given back for its campaign alone, until it is forgotten', () => {
    const kept = storage();
    keepChoice(kept, choice);
    expect(keptChoice(kept, 'c1')).toEqual(choice);
    expect(keptChoice(kept, 'c2')).toBeNull();
    forgetChoice(kept);
    expect(keptChoice(kept, 'c1')).toBeNull();
  });

  it('is nothing of a sheet without a header, whose first row is a person', () => {
    const kept = storage();
    keepChoice(kept, choice);
    keepChoice(kept, { ...choice, mapping: new Map([...choice.mapping, ['529.982.247-25', null]]) });
    expect(kept.text()).toBeNull();
  });

  it('is nothing of a sheet with more columns than any header has', () => {
    const kept = storage();
    keepChoice(kept, { ...choice, mapping: new Map(Array.from({ length: 201 }, (_, at) => [`Coluna ${at}`, null])) });
    expect(kept.text()).toBeNull();
  });

  it.each(['{', 'null', '7', '{"campaignId":"c1"}', '{"campaignId":"c1","name":"a","columns":7}'])(
    'is none when the storage holds %s',
    (text) => expect(keptChoice(storage(text), 'c1')).toBeNull(),
  );

  it('takes no field that the import does not know', () => {
    const text = '{"campaignId":"c1","name":"a","sheet":7,"columns":[["Contato","senha"],7,["CPF","debtorCpf"]]}';
    expect(keptChoice(storage(text), 'c1')).toEqual({
      campaignId: 'c1',
      name: 'a',
      sheet: null,
      mapping: new Map([
        ['Contato', null],
        ['CPF', 'debtorCpf'],
      ]),
    });
  });

  it('is missed by nobody where storage is forbidden', () => {
    const refuse = (): never => {
      throw new Error('forbidden');
    };
    const none = { getItem: refuse, setItem: refuse, removeItem: refuse };
    keepChoice(none, choice);
    forgetChoice(none);
    expect(keptChoice(none, 'c1')).toBeNull();
  });
});
