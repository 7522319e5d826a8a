import { describe, expect, it } from '@jest/globals';
import { expectCostBelow } from '../../../testing/cpu-cost.ts';
import { redactText, redactValue } from './redact.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('texts', () => {
  it.each([
    ['a token', `refused ${JWT} here`, JWT],
    ['an API key', 'key service_key_A1b2-C3_d4 is old', 'A1b2-C3_d4'],
    ['a bearer', 'Authorization: Bearer abc.def-123', 'abc.def-123'],
    ['a link signature', 'GET /api/receipts/download/QT-2026-X?sig=Zm9vYmFy_-1&a=1', 'Zm9vYmFy'],
    ['an encoded link', 'https://x.test/v?a=1&sig=abc%3D%3D#top', 'abc%3D'],
    [
      'a webhook signature',
      'x-signature: ts=1704908010,v1=618c85345248dd820d5fd456117c2ab2ef8eda45a0282ff693eac24131a5e839',
      '618c85',
    ],
    ['a password in a URL', 'postgres://quita:hunter2@db.internal:5432/quita', 'hunter2'],
    ['a password in JSON', 'Unexpected token in {"password":"Hunter 2, yes"}', 'Hunter'],
    ['a password in escaped JSON', 'body was "{\\"password\\":\\"Hunter2\\"}"', 'Hunter2'],
    ['an e-mail', 'no mailbox for maria.souza+1@empresa.com.br today', 'souza'],
    ['an encoded e-mail', '/search?q=maria%40empresa.com.br', 'maria'],
    ['a CPF', 'Key (cpf)=(529.982.247-25) exists', '529.982'],
    ['a bare CPF', 'debtor 52998224725 has', '52998224725'],
    ['a CNPJ', 'CNPJ 12.345.678/0001-95 checked', '345.678'],
    ['a CNPJ with letters', 'Key (debtor_tax_id)=(AB.CDE.FGH/IJKL-35) exists', 'CDE'],
    ['a tax id in an address', '/debts?debtorTaxId=12abc34501de35', '12abc345'],
    ['a bare CNPJ', 'debtor 12345678000195 has', '12345678'],
    ['a bare CNPJ with letters', 'debtor 12ABC34501DE35 has', '12ABC345'],
    ['a phone in E.164', 'to +5511987654321 failed', '987654321'],
    ['a phone without plus', 'to 5511987654321 failed', '987654321'],
    ['a phone as written', 'call (11) 98765-4321 now', '98765'],
    ['a landline as written', 'call (11) 3456-7890 now', '3456'],
    ['a phone with spaces', 'call +55 11 98765-4321 now', '98765'],
  ])('hides %s', (_name, text, secret) => {
    expect(redactText(text)).not.toContain(secret);
  });

  it.each([
    'collection-8c5f2f6e-1234-4567-8901-123456789012 started',
    'campaign 00000000-0000-4000-8000-000000000000',
    '2026-11-20T12:34:56.789Z took 12 ms',
    'at parse (/app/src/kernel/phone.ts:12:3)',
    'receipt QT-2026-0123456789X issued',
    'token_invalid',
  ])('does not change %s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

it('needs linear time for adversarial texts', async () => {
  const parts = ['a', 'eyJ-', '1', '55 11 9', 'password', '://', 'x@'];
  await expectCostBelow(300, () => parts.map((part) => redactText(part.repeat(1_000_000))));
});

describe('values', () => {
  it('redacts secret members at any depth, whatever their value is', () => {
    const shown = JSON.stringify(
      redactValue({
        request: { headers: { Authorization: ['x1'], 'x-signature': 'x2', 'set-cookie': ['x3'] } },
        list: [{ debtorCpf: 52998224725, DEBTOR_PHONE: 'x4', debtorEmail: { a: 'x5' } }],
        debtorCnpj: 'x11',
        debtorPhones: ['x12'],
        debtorEmails: ['x13'],
        refreshToken: 'x6',
        apiKey: 'x7',
        JWT_SECRET: 'x8',
        passwordHash: 'x9',
        text: 'x10',
      }),
    );
    expect(shown).not.toMatch(/x\d|52998224725/);
  });

  it('keeps members that are not secret', () => {
    const at = new Date(0);
    expect(redactValue({ debtId: 'd1', count: 3, ok: true, none: null, at, password: undefined })).toEqual({
      debtId: 'd1',
      count: 3,
      ok: true,
      none: null,
      at,
      password: undefined,
    });
  });

  it('keeps type, message, stack, code and causes of an error, and drops other members that a driver added', () => {
    const cause = Object.assign(new Error('for maria@empresa.com.br'), {
      code: '23505',
      query: 'insert maria',
      constraint: 'u',
    });
    const shown = redactValue(new TypeError('cpf 529.982.247-25', { cause })) as Record<string, unknown>;
    expect(shown).toMatchObject({
      type: 'TypeError',
      message: 'cpf [cpf]',
      cause: { code: '23505', constraint: 'u', message: 'for [email]' },
    });
    expect(JSON.stringify(shown)).not.toMatch(/maria|529/);
  });

  it('handles cycles, deep nesting, aggregate errors, getters that throw and bytes', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    const bad = {
      get broken() {
        throw new Error('no');
      },
    };
    expect(JSON.stringify(redactValue([cycle, deep, Buffer.from('secret'), 10n]))).not.toContain('secret');
    expect(redactValue(bad)).toBe('[unreadable]');
    expect(redactValue(new AggregateError([new Error('a@b.com')], 'x'))).toMatchObject({
      errors: [{ message: '[email]' }],
    });
  });
});
