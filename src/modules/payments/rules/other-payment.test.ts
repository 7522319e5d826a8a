import { describe, expect, it } from '@jest/globals';
import { namesOtherPayment } from './other-payment.ts';

describe('a claim of payment', () => {
  it.each([
    'ja paguei semana passada no cartao na recepcao',
    'Paguei em dinheiro',
    'paguei ontem',
    'Já paguei dia 5',
    'paguei no balcão da clínica',
    'Fiz uma transferência pra outra conta',
    'foi pago no boleto',
    'tá pago, segue o comprovante',
    'paguei 10/11',
    'paguei há 3 dias',
    'QUITEI EM OUTUBRO',
  ])('%s names another way, day or place', (text) => {
    expect(namesOtherPayment(text)).toBe(true);
  });

  it.each([
    'Já paguei.',
    'acabei de pagar',
    'paguei o pix agora',
    'pago',
    'já paguei essa conta hoje',
    'fiz o pix',
    '',
  ])('%s speaks of this Pix', (text) => {
    expect(namesOtherPayment(text)).toBe(false);
  });
});
