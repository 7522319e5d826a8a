import { describe, expect, it } from '@jest/globals';
import { actAfter, withMonthlyAmount } from './sandbox-debtor.ts';

const LIST =
  'Estas são as opções:\n\nOpção 4: R$ 700,00 à vista, para pagar até 01/12/2026. Vale até 01/12/2026.\nOpção 5: R$ 850,00 em 3 parcelas de R$ 283,33, a última de R$ 283,34, a primeira em 01/12/2026. Vale até 01/12/2026.\nOpção 6: R$ 1.000,00 com entrada de R$ 200,00 e mais 9 parcelas de R$ 88,88, a última de R$ 88,96, a primeira em 01/12/2026. Vale até 01/12/2026.';
const actOn = (kind: string, purpose: string, text = '') =>
  actAfter({ id: 'message', to: `+551198000${kind}`, purpose, text });

describe('a simulated debtor who agrees', () => {
  it.each([
    ['0007', 'Aceito a opção 4.'],
    ['0008', 'Aceito a opção 6.'],
    ['0009', 'Aceito a opção 4.'],
  ])('%s takes an offer of the list', (kind, text) => {
    expect(actOn(kind, 'collection')).toMatchObject({ kind: 'say' });
    expect(actOn(kind, 'reply', LIST)).toEqual({ kind: 'say', text });
    expect(actOn(kind, 'reply', 'Passei o seu pedido à equipe.')).toBeNull();
  });

  it('pays when it is agreed, and at each notice unless it pays the first instalment alone', () => {
    const agreed = 'Fechamos o acordo AC-2026-ABCDEFGHJK5.\n\n1ª parcela: R$ 10,00';
    for (const kind of ['0007', '0008', '0009']) {
      expect(actOn(kind, 'reply', agreed)).toEqual({ kind: 'pay', once: 'AC-2026-ABCDEFGHJK5' });
    }
    expect(actOn('0007', 'agreement')).toEqual({ kind: 'pay', once: 'message' });
    expect(actOn('0009', 'agreement')).toEqual({ kind: 'pay', once: 'message' });
    expect(actOn('0008', 'agreement')).toBeNull();
    expect(actOn('0001', 'agreement')).toBeNull();
  });

  it('proposes an amount that fits the debt', () => {
    const said = actOn('0009', 'collection');
    const text = said?.kind === 'say' ? said.text : '';
    expect(withMonthlyAmount(text, 100_000)).toBe('Posso pagar 250 por mês.');
    expect(withMonthlyAmount(text, 1_500)).toBe('Posso pagar 10 por mês.');
    expect(withMonthlyAmount('Quero negociar.', 100_000)).toBe('Quero negociar.');
  });
});
