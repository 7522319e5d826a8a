import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Conversation, OffersInTalk } from '../../../messaging/ports/collection-agent.ts';
import { writtenCentavos } from './monthly-amount.ts';
import { offerTaken } from './offer-words.ts';
import { understandByRules } from './understand.ts';

const STANDING = [
  { number: 1, instalments: 1 },
  { number: 2, instalments: 3 },
  { number: 3, instalments: 10 },
];
const LISTED: OffersInTalk = { standing: STANDING, listed: [1, 2, 3] };
const NOT_LISTED: OffersInTalk = { standing: STANDING, listed: [] };
/** Offers that were made again have other numbers than places. */
const SECOND_LIST: OffersInTalk = {
  standing: STANDING.map((offer) => ({ ...offer, number: offer.number + 3 })),
  listed: [4, 5, 6],
};
const ONE: OffersInTalk = { standing: [...STANDING, { number: 4, instalments: 5 }], listed: [4] };

const read = (text: string, offers: OffersInTalk | null = LISTED) => {
  const conversation: Conversation = {
    debtId: 'd',
    debtorName: 'Ana',
    today: '2026-11-18',
    isBusinessDay: () => true,
    turns: [],
    offers,
  };
  return understandByRules(text, conversation);
};

describe('an acceptance', () => {
  it.each([
    ['aceito a 2', 2],
    ['Aceito a opção 2.', 2],
    ['quero a opção 1, por favor', 1],
    ['fecho em 3x', 2],
    ['quero em dez vezes', 3],
    ['a segunda', 2],
    ['vou querer a terceira opção', 3],
    ['pode ser a à vista', 1],
    ['pode ser à vista', 1],
    ['2', 2],
    ['opção dois', 2],
    ['ok, aceito a 3, pode mandar o pix', 3],
    ['a 2 👍', 2],
    ['quero a 2ª', 2],
    ['aceito a ２ 👍🏽', 2],
  ])('%s takes offer %i', (text, offerNumber) => {
    expect(read(text)).toMatchObject({ intent: 'accept_offer', offerNumber });
  });

  it.each([
    'aceita a 2?',
    'aceito a 2?',
    'não aceito a 2',
    'nunca aceito a opção 2',
    'aceito a 2 se tirar os juros',
    'acho que aceito a 2',
    'talvez a opção 2',
    'aceito a 1 ou a 2',
    'aceito a 2 e a 3',
    'minha esposa aceitou a 2',
    'meu marido falou para aceitar a 2',
    'aceito a 2 só em janeiro',
    'aceito',
    'fechado',
    'quero a 2 em 5x',
    'em 0 vezes',
    'quero em 500x',
    'quero parcelar em 500',
    'quero em 3x ou em 5x',
    'não quero em 5x',
    'quero um acordo',
    '3x',
    'e se eu aceitar a 2?',
    'aceito a 7',
    'aceito a 2 👎',
    '❌ aceito a 2',
    'не aceito a 2',
    '“aceito a 2”',
    '~aceito a 2~',
    'queria a 2',
    'ñ aceito a 2',
  ])('%s takes none, and the offers answer it', (text) => {
    const understood = read(text);
    expect(understood.offerNumber).toBeUndefined();
    expect(understood.intent).toBe('negotiate');
  });

  it.each([
    ['parem de me mandar mensagem, aceito a 2', 'opt_out'],
    ['aceito a 2. PARAR', 'opt_out'],
    ['não reconheço essa dívida, não aceito a opção 2', 'dispute'],
    ['não sou eu, é engano, não aceito a 2', 'wrong_person'],
    ['pago segunda', 'promise'],
    ['pode ser na segunda', 'promise'],
    ['qual o valor?', 'question'],
    ['bom dia', 'other'],
    ['ok', 'other'],
  ] as const)('%s means something else: %s', (text, intent) => {
    expect(read(text)).toMatchObject({ intent });
    expect(read(text).offerNumber).toBeUndefined();
  });

  it('in one word answers only the message that has listed one offer', () => {
    expect(read('aceito', ONE)).toMatchObject({ intent: 'accept_offer', offerNumber: 4 });
    expect(read('sim, fechado', ONE)).toMatchObject({ offerNumber: 4 });
    expect(read('ok', ONE).offerNumber).toBeUndefined();
    expect(read('quero', ONE).offerNumber).toBeUndefined();
    for (const text of ['2', 'aceito', 'a segunda', 'quero 2'])
      expect(read(text, NOT_LISTED).offerNumber).toBeUndefined();
    expect(read('aceito a 2', NOT_LISTED)).toMatchObject({ offerNumber: 2 });
  });

  it('by a place means the place in the list, and by a number the number', () => {
    expect(read('a segunda', SECOND_LIST)).toMatchObject({ offerNumber: 5 });
    expect(read('aceito a 5', SECOND_LIST)).toMatchObject({ offerNumber: 5 });
    expect(read('aceito a 2', SECOND_LIST)).toMatchObject({ intent: 'negotiate', offerOpen: 'ended' });
    // The second of the list is another offer than number 2, which stands too.
    const both = { standing: [...STANDING, ...SECOND_LIST.standing], listed: [4, 5, 6] };
    expect(read('a segunda', both)).toMatchObject({ intent: 'negotiate', offerOpen: 'unclear' });
    expect(read('fecho em 3x', both)).toMatchObject({ intent: 'negotiate', offerOpen: 'unclear' });
  });

  it('is none where nothing is offered', () => {
    for (const text of ['aceito a 2', '2', 'posso pagar 200 por mês']) {
      expect(['accept_offer', 'propose']).not.toContain(read(text, null).intent);
    }
  });
});

/** What a piece of a message names: offers of `LISTED`, nothing, or something that leaves every offer open. */
const PIECES: readonly (readonly [string, readonly number[] | 'nothing' | 'leaves open'])[] = [
  ['a 1', [1]],
  ['a 2', [2]],
  ['a 3', [3]],
  ['opção 2', [2]],
  ['a primeira', [1]],
  ['a segunda', [2]],
  ['em 3x', [2]],
  ['à vista', [1]],
  ['em 5x', []],
  ['opção 9', []],
  ...['aceito', 'quero', 'fecho', 'pode ser', 'obrigado', 'por favor', 'sim', 'bom dia', 'manda o pix'].map(
    (text) => [text, 'nothing'] as const,
  ),
  ...[
    'não',
    'nunca',
    'se',
    'ou',
    '?',
    'talvez',
    'mas',
    'meu marido',
    'ela',
    'só que',
    'depois',
    'amanhã',
    'sem juros',
  ].map((text) => [text, 'leaves open'] as const),
];

describe('no text accepts an offer', () => {
  it('unless everything that it names is one standing offer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(' ', ', ', '. ', '\n'),
        fc.constantFrom(LISTED, NOT_LISTED),
        (pieces, between, offers) => {
          const taken = offerTaken(pieces.map(([text]) => text).join(between), offers);
          if (taken?.kind !== 'named') return;
          expect(pieces.map(([, names]) => names)).not.toContain('leaves open');
          const named = pieces.map(([, names]) => names).filter((names) => names !== 'nothing');
          expect(named.length).toBeGreaterThan(0);
          for (const names of named) expect(names).toEqual([taken.number]);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('that does not stand, whatever is written', () => {
    const words = PIECES.map(([text]) => text);
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 6 }), fc.nat({ max: 40 }).map(String)))
        .map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(LISTED, NOT_LISTED, SECOND_LIST, ONE), (written, offers) => {
        const taken = offerTaken(written, offers);
        if (taken?.kind === 'named') expect(offers.standing.map(({ number }) => number)).toContain(taken.number);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a proposal', () => {
  it.each([
    ['posso pagar 200 por mês', 20_000],
    ['Posso pagar 200 por mês?', 20_000],
    ['consigo dar R$ 150,50 mensais', 15_050],
    ['só consigo 100 reais por mês', 10_000],
    ['consigo duzentos por mês', 20_000],
    ['dá pra pagar cento e cinquenta por mês', 15_000],
    ['R$ 1.500,00 por mês eu consigo', 150_000],
    ['posso pagar 100/mês', 10_000],
    ['_posso pagar 200 por mês_', 20_000],
    ['consigo _200_ por mês', 20_000],
    ['consigo mil por mês', 100_000],
    ['consigo dois mil por mês', 200_000],
    ['consigo dois mil e quinhentos por mês', 250_000],
    ['consigo 2 mil por mês', 200_000],
    ['consigo 2,5 mil por mês', 250_000],
    ['ganho 3 mil por mês e posso pagar 500 por mês', 50_000],
    ['consigo parcelas de 80', 8_000],
    ['ganho 1500 por mês e posso pagar 200 por mês', 20_000],
    ['no meu orçamento cabe 60 por mês', 6_000],
  ])('%s proposes %i centavos', (text, monthlyCentavos) => {
    expect(read(text)).toMatchObject({ intent: 'propose' });
    expect(read(text).proposal).toEqual({ monthlyCentavos });
  });

  it.each([
    ['quero parcelar em 5', { count: 5 }],
    ['quero em 5x', { count: 5 }],
    ['5x', { count: 5 }],
    ['dá pra fazer em cinco vezes?', { count: 5 }],
    ['parcela em quatro', { count: 4 }],
    ['quero parcelar em 60', { count: 60 }],
    ['5x de 200', { count: 5, monthlyCentavos: 20_000 }],
    ['consigo 5 parcelas de R$ 150,50', { count: 5, monthlyCentavos: 15_050 }],
    ['em 3 vezes todo dia 10', { count: 3, firstDay: '2026-12-10' }],
    ['posso pagar 200 por mês, todo dia 20', { monthlyCentavos: 20_000, firstDay: '2026-11-20' }],
    ['só dia 10 que eu recebo', { firstDay: '2026-12-10' }],
    ['pode ser dia 18?', { firstDay: '2026-11-18' }],
    ['dia 31', { firstDay: '2026-11-30' }],
    ['recebo no quinto dia útil', { firstDay: '2026-12-05' }],
    ['tá caro', { isCheaper: true }],
    ['não consigo esse valor', { isCheaper: true }],
    ['tem parcela menor?', { isCheaper: true }],
    ['tá caro, e só dia 10 que eu recebo', { isCheaper: true, firstDay: '2026-12-10' }],
    ['tá caro, só consigo 100 por mês', { monthlyCentavos: 10_000 }],
  ])('%s proposes %j', (text, proposal) => {
    expect(read(text)).toMatchObject({ intent: 'propose', date: null });
    expect(read(text).proposal).toEqual(proposal);
  });

  it('beside a dispute is none, and the dispute is told beside the wish', () => {
    const understood = read('não reconheço essa dívida mas posso parcelar em 5');
    expect(understood).toMatchObject({ intent: 'negotiate', also: ['dispute'] });
    expect(understood.proposal).toBeUndefined();
  });

  it('of a day alone, or that something is dear, answers only the message that has listed offers', () => {
    for (const [text, intent] of [
      ['só dia 10 que eu recebo', 'promise'],
      ['dia 10', 'promise'],
      ['tá caro', 'negotiate'],
    ] as const) {
      expect(read(text, NOT_LISTED)).toMatchObject({ intent });
      expect(read(text, NOT_LISTED).proposal).toBeUndefined();
    }
    expect(read('quero parcelar em 5', NOT_LISTED).proposal).toEqual({ count: 5 });
    expect(read('quero parcelar em 5', null).proposal).toBeUndefined();
  });

  it('of a count takes the offer that was just shown alone, though another has as many', () => {
    const two = { standing: [...STANDING, { number: 4, instalments: 10 }], listed: [4] };
    expect(read('pode ser em 10x', two)).toMatchObject({ intent: 'accept_offer', offerNumber: 4 });
    expect(read('pode ser em 3x', two)).toMatchObject({ intent: 'accept_offer', offerNumber: 2 });
  });

  it.each([
    ['dia 32', 'promise'],
    ['vou pagar dia 10', 'promise'],
    ['pode ser dia 10 ou dia 20', 'promise'],
    ['não consigo dia 10', 'other'],
    ['já paguei em 3 vezes', 'already_paid'],
    ['tá caro, perdi o emprego e não tenho nada', 'hardship'],
    ['parem de mandar mensagem. quero parcelar em 5', 'opt_out'],
    ['PARAR. tá caro', 'opt_out'],
    ['não reconheço essa dívida, tá caro', 'dispute'],
    ['não sou eu, é engano, só dia 10', 'wrong_person'],
    ['quero falar com uma pessoa, tá caro', 'human'],
    ['quanto fica em quantas vezes?', 'negotiate'],
  ] as const)('%s is none, and is understood as before: %s', (text, intent) => {
    expect(read(text)).toMatchObject({ intent: intent === 'other' ? read(text, null).intent : intent });
    expect(read(text).proposal).toBeUndefined();
  });

  it.each([
    ['não posso pagar 200 por mês', 'negotiate'],
    ['posso pagar 200 ou 300 por mês, ou 500 por mês', 'negotiate'],
    ['perdi o emprego e estou doente, só consigo 50 por mês', 'hardship'],
    ['não reconheço essa dívida mas posso pagar 50 por mês', 'dispute'],
    ['parem de mandar mensagem. posso pagar 50 por mês', 'opt_out'],
    ['o remédio dela custa 600 por mês e o posto não tem', 'hardship'],
    ['quanto fica por mês?', 'question'],
  ] as const)('%s is none: %s', (text, intent) => {
    expect(read(text)).toMatchObject({ intent });
    expect(read(text).proposal).toBeUndefined();
  });

  it('reads amounts as they are written, or not at all', () => {
    const amounts = ['200', '1500,50', '1.500,00', '1.500', '150.50', '2,5'].map(writtenCentavos);
    expect(amounts).toEqual([20_000, 150_050, 150_000, 150_000, 15_050, 250]);
    for (const text of ['1.5', '0', '1,234', '1.50.000', '12345678901', '1,,2', '..', '1.234.567.890,00']) {
      expect([text, writtenCentavos(text)]).toEqual([text, null]);
    }
  });
});
