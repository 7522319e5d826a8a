import { describe, expect, it } from '@jest/globals';
import { activeFilters } from './active-filters.ts';
import { parseChoice } from './column-choice.ts';
import {
  type FilterValues,
  filterOf,
  groupOf,
  isFiltered,
  oppositeOf,
  pressedSort,
  searchOf,
  statusesOf,
  toggled,
} from './search.ts';
import { isMarked, MAX_BY_HAND, NONE, type Selection, toggleOne } from './selection.ts';

const NOTHING: FilterValues = { grupo: '', situacao: '', de: '', ate: '', teste: '', campanha: '', ordem: '' };
const CAMPAIGN = '3f6c0f5e-0f0a-4b0e-9d53-0a3f5ad7e2b1';

describe('the filters of an address', () => {
  it('gather whole groups and single statuses, and leave out what they cannot mean', () => {
    expect(statusesOf({ grupo: 'paid', situacao: 'STOPPED,DISPUTED,NONE' })).toEqual(['DISPUTED', 'PAID', 'STOPPED']);
    const odd = { ...NOTHING, de: '2026-99-01', ate: 'tomorrow', campanha: "'; drop", ordem: 'cpf', situacao: 'X' };
    expect(searchOf(odd, '  ', {})).toEqual({ sort: '-createdAt' });
  });

  it('become the body of a search', () => {
    const values = {
      ...NOTHING,
      grupo: 'waiting',
      de: '2026-09-01',
      ate: '2026-09-30',
      teste: 'nao',
      ordem: '-amount',
    };
    const search = searchOf({ ...values, campanha: CAMPAIGN }, ' Ana ', {});
    expect(search).toEqual({
      q: 'Ana',
      campaignId: CAMPAIGN,
      status: ['ON_HOLD', 'DISPUTED'],
      dueFrom: '2026-09-01',
      dueTo: '2026-09-30',
      sandbox: false,
      sort: '-amount',
    });
    expect(filterOf(search)).not.toHaveProperty('sort');
    expect(activeFilters(search, {})).toEqual([
      'busca “Ana”',
      'situação: espera você',
      'vence desde 01/09/2026',
      'vence até 30/09/2026',
      'só reais',
      'uma campanha',
    ]);
  });

  it('of a campaign’s screen hide nothing by the campaign itself', () => {
    const scope = { campaignId: CAMPAIGN };
    const search = searchOf(NOTHING, '', scope);
    expect(search).toEqual({ campaignId: CAMPAIGN, sort: 'createdAt' });
    expect(isFiltered(search, scope)).toBe(false);
    expect(activeFilters(search, scope)).toEqual([]);
    expect(isFiltered(searchOf({ ...NOTHING, campanha: CAMPAIGN }, '', {}), {})).toBe(true);
    expect(isFiltered(searchOf(NOTHING, 'Ana', scope), scope)).toBe(true);
  });

  it('send a text of at most 100 characters, as the API takes it', () => {
    expect([...searchOf(NOTHING, '😀'.repeat(150), {}).q!]).toHaveLength(100);
  });

  it('turn a group on and off', () => {
    const waiting = toggled(['PAID'], ['ON_HOLD', 'DISPUTED']);
    expect(waiting).toEqual(['ON_HOLD', 'DISPUTED', 'PAID']);
    expect(toggled(waiting, ['ON_HOLD', 'DISPUTED'])).toEqual(['PAID']);
    expect(groupOf(['PAID'])).toBe('paid');
    expect(groupOf(waiting)).toBeUndefined();
    expect(groupOf([])).toBeUndefined();
  });
});

describe('the sort', () => {
  it('goes upwards first, then downwards, and has an opposite where the list is the same one reversed', () => {
    expect(pressedSort('name', '-createdAt')).toBe('name');
    expect(pressedSort('name', 'name')).toBe('-name');
    expect(pressedSort('name', '-name')).toBe('name');
    expect(oppositeOf('-name')).toBe('name');
    expect(oppositeOf('amount')).toBe('-amount');
    expect(oppositeOf('nextContactAt')).toBeNull();
    expect(oppositeOf('-nextContactAt')).toBeNull();
  });
});

describe('the marks', () => {
  it('take as many debts as one action does, and none by hand while all are marked', () => {
    const one = toggleOne(NONE, 'a');
    expect(isMarked(one, 'a')).toBe(true);
    expect(isMarked(toggleOne(one, 'a'), 'a')).toBe(false);
    const many: Selection = { kind: 'some', ids: new Set(Array.from({ length: MAX_BY_HAND }, (_, n) => String(n))) };
    expect(isMarked(toggleOne(many, 'a'), 'a')).toBe(false);
    const all: Selection = { kind: 'all', count: 3 };
    expect(toggleOne(all, 'a')).toBe(all);
    expect(isMarked(all, 'a')).toBe(true);
  });
});

describe('the columns', () => {
  it('are known names in the order of the table, always with the person’s', () => {
    expect(parseChoice('amount,evil,<b>')).toEqual(['name', 'amount']);
    expect(parseChoice('')).toEqual(['name']);
    expect(parseChoice(null)).toContain('campaign');
  });
});
