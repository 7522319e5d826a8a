import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ownWords } from './own-words.ts';

const quoted = '> Olá, Ana.\n> Para não receber mais mensagens, responda PARAR.';
const OUR_TEXT =
  'Olá, Ana. Consta um pagamento.\n\nEscola Aurora · CNPJ 11.222.333/0001-81\nPara não receber mais mensagens, responda PARAR.';

describe('ownWords', () => {
  it.each([
    ['Gmail', `Vou pagar\n\nEm qua., 18 de nov. de 2026 às 11:00, Escola Aurora <a@b.c>\nescreveu:\n\n${quoted}`],
    ['Apple Mail', `Vou pagar\n\n> Em 18 de nov. de 2026, à(s) 11:00, Escola <a@b.c> escreveu:\n>\n${quoted}`],
    ['Thunderbird', `Vou pagar\n\nEm 18/11/2026 11:00, Escola Aurora escreveu:\n${quoted}`],
    [
      'Yahoo',
      `Vou pagar\n\nEm quarta-feira, 18 de novembro de 2026 11:00:00 BRT, Escola <a@b.c> escreveu:\n\n ${OUR_TEXT}`,
    ],
    ['an answer below the quotation', `Em 18/11/2026 11:00, Escola Aurora escreveu:\n${quoted}\n\nVou pagar`],
    [
      'Outlook in Portuguese',
      `Vou pagar\n\nDe: Escola <a@b.c>\nEnviada em: quarta-feira\nPara: ana\nAssunto: Sobre\n\n${OUR_TEXT}`,
    ],
    [
      'Outlook in English',
      `Vou pagar\n\n________________________________\nFrom: Escola <a@b.c>\nSent: Wednesday\nTo: Ana\nSubject: x\n\n${OUR_TEXT}`,
    ],
    ['bold headers', `Vou pagar\n\n*De:* Escola <a@b.c>\n*Data:* qua.\n*Para:* ana\n\n${OUR_TEXT}`],
    ['an original message', `Vou pagar\n\n-----Mensagem original-----\nDe: Escola\n${OUR_TEXT}`],
    ['a forwarded message', `Vou pagar\n\n---------- Forwarded message ---------\nQualquer coisa\n${OUR_TEXT}`],
    ['English', `Vou pagar\n\nOn Wed, Nov 18, 2026 at 11:00 AM Escola <a@b.c> wrote:\n${quoted}`],
    ['a signature', 'Vou pagar\n-- \nAna Souza\nPARAR'],
    ['a phone', 'Vou pagar\n\nEnviado do meu iPhone'],
    ['Outlook of a phone', 'Vou pagar\nObter o Outlook para Android<https://aka.ms/x>'],
    [
      'lines of ours without a mark',
      'Vou pagar\nPara não receber mais mensagens, responda PARAR.\nSe não quiser mais receber mensagens de X, abra este endereço: https://x',
    ],
    ['Windows line ends and hard spaces', 'Vou\u00a0pagar\r\n\r\n> PARAR\r\n'],
  ])('leaves the own words: %s', (_name, text) => {
    expect(ownWords(text)).toBe('Vou pagar');
  });

  it.each([
    'Em resposta, a atendente escreveu:\nnão devo nada',
    'De: nada\nvou pagar',
    'Enviado o comprovante ontem',
    'Em 27/11 eu pago',
    '-\nPARAR\n-',
    '-----\nPARAR',
    'O valor é 5 > 3?\n\nPARAR',
    'Sent',
  ])('keeps what a person may write: %j', (text) => {
    expect(ownWords(text)).toBe(text);
  });

  it('leaves what a person writes between quotations', () => {
    expect(ownWords(`> Consta um pagamento.\nJá paguei.\n> PARAR\nTenho o recibo.`)).toBe(
      'Já paguei.\nTenho o recibo.',
    );
  });

  it('finds any own words above a quotation, and none of those that are quoted', () => {
    const word = fc.stringMatching(/^[a-zà-ú]{1,12}$/);
    const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `x${words.join(' ')}`);
    const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((some) => some.join('\n'));
    fc.assert(
      fc.property(text, text, (own, original) => {
        const copy = original
          .split('\n')
          .map((one) => `> ${one}`)
          .join('\n');
        expect(ownWords(`${own}\n\nEm 18/11/2026 11:00, Escola <a@b.c> escreveu:\n${copy}`)).toBe(own);
        expect(ownWords(`${own}\n\nDe: Escola\nPara: Ana\nAssunto: x\n\n${original}`)).toBe(own);
      }),
    );
  });
});
