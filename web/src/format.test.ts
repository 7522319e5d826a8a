import { describe, expect, it } from '@jest/globals';
import {
  formatAgo,
  formatCnpj,
  formatCpf,
  formatDay,
  formatLastDay,
  formatMoment,
  formatMoney,
  formatPhone,
  formatPlainDate,
  maskCpf,
} from './format.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('the formats of the console', () => {
  it('write money, dates and moments as Brazilians do', () => {
    expect(formatMoney(1234.56)).toBe('R$ 1.234,56');
    expect(formatMoment('2026-11-20T17:02:00Z')).toBe('20/11/2026 14:02');
    expect(formatMoment('2026-11-20T17:02:00Z', 'America/Rio_Branco')).toBe('20/11/2026 12:02');
    expect(formatPlainDate('2026-09-10')).toBe('10/09/2026');
    expect(formatDay('2026-11-23T12:00:00Z')).toBe('seg., 23/11');
  });

  it('name the last day of a term that ends with it at the debtor’s place', () => {
    // The end of 24 April in Fernando de Noronha, São Paulo, Manaus and Rio Branco.
    for (const hour of ['01', '02', '03', '04']) {
      expect(formatLastDay(`2026-04-25T${hour}:59:59.999Z`)).toBe('24/04/2026');
    }
  });

  it('tell how long ago something was', () => {
    expect(formatAgo('2026-11-20T12:00:00Z', NOW)).toBe('anteontem');
    expect(formatAgo('2026-11-22T07:00:00Z', NOW)).toBe('há 5 horas');
    expect(formatAgo('2026-11-22T11:59:40Z', NOW)).toBe('agora');
  });

  it('write documents and phones, and hide most of a CPF', () => {
    expect(maskCpf('52998224725')).toBe('***.982.247-**');
    expect(formatCpf('52998224725')).toBe('529.982.247-25');
    expect(formatCnpj('11222333000181')).toBe('11.222.333/0001-81');
    expect(formatPhone('+5511987650001')).toBe('(11) 98765-0001');
    expect(formatPhone('+551132654321')).toBe('(11) 3265-4321');
  });
});
