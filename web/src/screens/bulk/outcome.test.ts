import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from './outcome.ts';

const KNOWN = new Map([['11111111-aaaa', { debtorName: 'Ana Souza', status: 'PAID', reasons: [] } as const]]);

describe('what an action on several debts reports', () => {
  it('says what was done, and why debts were skipped', () => {
    expect(outcomeOf({ done: 1, skipped: [] }, KNOWN)).toEqual({
      text: 'Feito em 1 dívida.',
      tone: 'good',
      skipped: [],
    });
    const skipped = [
      { id: 'a', code: 'selection_changed' },
      { id: 'b', code: 'debt_state' },
      { id: 'c', code: 'debt_state' },
    ] as const;
    expect(outcomeOf({ done: 0, skipped: [...skipped] }, KNOWN).tone).toBe('warning');
    expect(outcomeOf({ done: 30, skipped: [...skipped] }, KNOWN).text).toBe(
      'Feito em 30 dívidas. 3 dívidas ficaram como estavam: 2 porque a situação não permite; 1 porque saíram do filtro antes.',
    );
  });

  it('names each debt that was skipped, with its reason', () => {
    const skipped = [
      { id: '11111111-aaaa', code: 'note_required' },
      { id: '22222222-bbbb', code: 'contact_blocked' },
    ] as const;
    expect(outcomeOf({ done: 2, skipped: [...skipped] }, KNOWN).skipped).toEqual([
      { id: '11111111-aaaa', name: 'Ana Souza', why: 'falta dizer o que a equipe conferiu' },
      {
        id: '22222222-bbbb',
        name: 'Dívida 22222222',
        why: 'as regras de contato não permitem esta mensagem agora',
      },
    ]);
  });
});
