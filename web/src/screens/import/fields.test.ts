import { describe, expect, it } from '@jest/globals';
import {
  applyRemembered,
  type Column,
  choose,
  FIELDS,
  type Field,
  GROUPS,
  looksLike,
  looksLikeData,
  mappingOf,
  missingFields,
  showSample,
} from './fields.ts';

const mapping = new Map<string, Field | null>([
  ['Aluno', 'debtorName'],
  ['Responsável', null],
  ['Celular', 'debtorPhone'],
  ['CPF', 'debtorCpf'],
]);

describe('the columns of a spreadsheet', () => {
  it('names the required fields that no column holds', () => {
    expect(missingFields(mapping)).toEqual(['originalAmount', 'dueDate']);
    expect(missingFields(new Map())).toEqual(['debtorName', 'debtorPhone', 'debtorCpf', 'originalAmount', 'dueDate']);
  });

  it('are content with a list of phones, and with a CNPJ in place of a CPF', () => {
    const other = choose(choose(mapping, 'Celular', 'debtorPhones'), 'CPF', 'debtorTaxId');
    expect(missingFields(other)).toEqual(['originalAmount', 'dueDate']);
  });

  it('give a field to one column: the column that held it is left out', () => {
    const chosen = choose(mapping, 'Responsável', 'debtorName');
    expect(chosen.get('Responsável')).toBe('debtorName');
    expect(chosen.get('Aluno')).toBeNull();
    expect(choose(chosen, 'Responsável', 'debtorName')).toEqual(chosen);
  });

  it('are taken for what only their values tell, when the server proposes it', () => {
    const phone: Column = {
      header: 'Contato',
      field: null,
      looksLike: 'debtorPhone',
      proposed: 'debtorPhone',
      samples: [],
    };
    expect(mappingOf([phone, { ...phone, header: 'Outro', proposed: null }])).toEqual(
      new Map([
        ['Contato', 'debtorPhone'],
        ['Outro', null],
      ]),
    );
    const fields: Field[] = ['debtorPhone', 'debtorPhones', 'debtorCpf'];
    expect(fields.map((field) => looksLike(phone, field))).toEqual([true, true, false]);
    expect(looksLike({ ...phone, looksLike: 'debtorCnpj' }, 'debtorCpf')).toBe(true);
    expect(looksLike({ ...phone, looksLike: null }, 'debtorPhone')).toBe(false);
  });

  it('are offered every field once, in groups of what is needed', () => {
    expect(GROUPS.flatMap(([, fields]) => fields).toSorted()).toEqual([...FIELDS].toSorted());
    expect(GROUPS[0]).toEqual(['required', ['debtorName', 'originalAmount', 'dueDate']]);
  });

  it('share the lists of further phones and addresses', () => {
    const chosen = choose(choose(mapping, 'Aluno', 'debtorPhones'), 'Responsável', 'debtorPhones');
    expect([chosen.get('Aluno'), chosen.get('Responsável')]).toEqual(['debtorPhones', 'debtorPhones']);
  });

  it('take over what was chosen for the same headers before, and nothing of other ones', () => {
    const before = new Map<string, Field | null>([
      ['Responsável', 'debtorName'],
      ['Celular', null],
      ['Turma', 'invoiceId'],
    ]);
    expect(Object.fromEntries(applyRemembered(mapping, before))).toEqual({
      Aluno: null,
      Responsável: 'debtorName',
      Celular: null,
      CPF: 'debtorCpf',
    });
  });

  it.each(['529.982.247-25', '(11) 98765-0001', '20/11/2026', 'R$ 1.200,50', '300,00'])('%s is no header', (text) =>
    expect(looksLikeData(text)).toBe(true),
  );
  it.each(['Valor (2)', 'Telefone 2', 'Vencto', 'Coluna C', 'Parcela 10/12', '2026'])('%s may be a header', (text) =>
    expect(looksLikeData(text)).toBe(false),
  );

  it('show no whole CPF among their samples', () => {
    expect(showSample('529.982.247-25', null)).toBe('***.982.247-**');
    expect(showSample('52998224725', 'debtorCpf')).toBe('***.982.247-**');
    expect(showSample('11987650001', 'debtorPhone')).toBe('11987650001');
  });
});
