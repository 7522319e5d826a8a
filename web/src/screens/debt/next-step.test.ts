import { describe, expect, it } from '@jest/globals';
import { DEBT } from '../../texts/debt.ts';
import { daysOverdue, nextStep } from './next-step.ts';

const ZONE = 'America/Sao_Paulo';

describe('what happens to a debt now', () => {
  it('is said in one sentence', () => {
    expect(nextStep('PAID', undefined, ZONE)).toBe(DEBT.nextPaid);
    expect(nextStep('AGREEMENT', undefined, ZONE)).toBe(DEBT.nextAgreement);
    expect(nextStep('OPTED_OUT', undefined, ZONE)).toBe(DEBT.nextOptedOut);
    expect(nextStep('IN_COLLECTION', { allowed: true, rules: [], notBefore: null }, ZONE)).toBe(DEBT.nextAllowed);
    const blocked = { allowed: false, rules: ['window', 'caps'], notBefore: '2026-11-23T12:00:00Z' };
    expect(nextStep('IN_COLLECTION', blocked, ZONE)).toBe(
      'O próximo contato é permitido a partir de 23/11/2026 09:00 (fora do horário, limite de contatos atingido).',
    );
    expect(nextStep('PROMISED', { allowed: false, rules: ['paused'], notBefore: null }, ZONE)).toBe(
      'Nenhum contato é permitido: a campanha está pausada.',
    );
  });

  it('says before the decision what resuming would bring', () => {
    expect(nextStep('DISPUTED', { allowed: false, rules: ['window'], notBefore: '2026-11-23T12:00:00Z' }, ZONE)).toBe(
      'Espera uma decisão sua; até lá, ninguém é contatado. Retomada, o próximo contato é permitido a partir de 23/11/2026 09:00.',
    );
    expect(nextStep('ON_HOLD', { allowed: false, rules: ['prescription'], notBefore: null }, ZONE)).toBe(
      'Espera uma decisão sua. Mesmo retomada, ninguém será contatado: vencida há mais de 5 anos.',
    );
  });

  it('counts the days since the due date', () => {
    expect(daysOverdue('2026-11-20', '2026-11-23')).toBe(3);
    expect(daysOverdue('2026-11-25', '2026-11-23')).toBe(-2);
  });
});
