import { describe, expect, it } from '@jest/globals';
import { type GuardRules, guardMessage } from './message-guard.ts';

const OPT_OUT = 'Para não receber mais mensagens, responda PARAR.';
const RULES: GuardRules = {
  known: ['Maria', 'Escola Azul', 'R$ 1.234,56', '05/10/2026', 'https://quita.example/checkout/abc', OPT_OUT],
  required: [OPT_OUT],
  mayDisclose: true,
  paid: false,
};
const refuse = (body: string, rules = RULES): string[] => guardMessage(`${body}\n\n${OPT_OUT}`, rules);

/**
 * What may not be done to a debtor who is offered an agreement, with what a text would say to do it. Decision 0068 has the
 * list.
 */
const PRESSURE: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'speaking of a last chance',
    'false_urgency',
    [
      'Esta é a última chance.',
      'É a sua última oportunidade!',
      'Último aviso.',
      'Não perca.',
      'Depois será tarde demais.',
    ],
  ],
  [
    'threatening with a court',
    'threat',
    ['Vamos à justiça.', 'O juiz decide.', 'Nosso advogado entra com o processo.'],
  ],
  ['threatening with the police', 'threat', ['Vamos à delegacia.', 'Isso dá cadeia.', 'Isso é crime.']],
  ['threatening the job', 'threat', ['Você pode perder o emprego.', 'Você pode ser demitida.', 'Isso dá justa causa.']],
  ['threatening the family', 'third_party', ['Pense na sua família.', 'O seu marido sabe disso?', 'E os seus filhos?']],
  [
    'threatening the score',
    'threat',
    [
      'O seu score vai cair.',
      'Isso derruba a sua pontuação.',
      'Seu nome vai para a Serasa.',
      'Você fica com o nome sujo.',
    ],
  ],
  [
    'inventing a discount',
    'offer',
    ['Consegui um desconto só para você.', 'Tiro os juros: é um brinde.', 'Pague menos.'],
  ],
  [
    'counting down',
    'false_urgency',
    [
      'O tempo está acabando.',
      'São as últimas horas.',
      'Últimos dias para pagar!',
      'O prazo está quase no fim.',
      'Restam poucas horas.',
      'Faltam só alguns minutos.',
      'Começou a contagem regressiva.',
      'O relógio está correndo.',
      'O prazo se esgota.',
    ],
  ],
  [
    'advising another loan',
    'loan',
    [
      'Faça um empréstimo e pague.',
      'Peça dinheiro emprestado.',
      'Alguém pode emprestar o valor.',
      'Pegue um consignado.',
      'Use o cheque especial.',
      'Contrate um crédito no seu banco.',
      'Antecipe o seu FGTS.',
      'Adiante o décimo terceiro.',
    ],
  ],
  [
    'obtaining an admission of the debt',
    'admission',
    [
      'Reconheça a dívida.',
      'Você reconhece que deve?',
      'É só reconhecer este débito.',
      'Confirme que deve.',
      'Você confirma que essa dívida é sua?',
      'Admita que não pagou.',
      'Assuma a sua dívida.',
      'Responda "eu devo" para continuar.',
      'Escreva que deve este valor.',
      'Assine a confissão de dívida.',
    ],
  ],
  [
    'speaking to third parties',
    'third_party',
    ['Avise a sua mãe.', 'Vamos ligar para o seu trabalho.', 'Seu patrão vai saber.'],
  ],
];

/** Honest sentences that are near to pressure, and are none of it. */
const HONEST: readonly string[] = [
  'A opção vale até 05/10/2026.',
  'O prazo desta opção termina em 05/10/2026.',
  'Depois de 05/10/2026 ela deixa de valer, e você pode pedir outra.',
  'Você pode recusar, ou pedir que uma pessoa da equipe responda.',
  'Se você não reconhece este pagamento, responda por aqui mesmo.',
  'Não reconhece a cobrança? Avise, e a equipe confere.',
  'Já pagou, não reconhece ou prefere outro dia? Responda por aqui mesmo.',
  'Confirme o número da opção, por favor.',
  'Antes de confirmar o Pix, veja no aplicativo do seu banco se quem recebe é a Escola Azul.',
  'Leve o tempo que precisar. A qualquer hora você encontra tudo nesta página.',
  'Ficou um pagamento em aberto, de que falta uma parte.',
  'Fico à disposição para o que faltar.',
  'O crédito do Pix aparece na página assim que chegar.',
  'É sobre o contrato do seu empréstimo pessoal.',
];

describe('guardMessage', () => {
  it('accepts a text that contains only known facts', () => {
    expect(
      refuse('Maria, o valor é R$ 1.234,56, vencido em 05/10/2026. Pague em https://quita.example/checkout/abc'),
    ).toEqual([]);
  });

  it('requires the opt-out line', () => {
    expect(guardMessage('Olá, Maria.', RULES)).toEqual(['missing']);
  });

  it.each([
    ['number', 'O valor é R$ 1.000,00.'],
    ['number', 'O valor é R$ 1.234,5.'],
    ['number', 'São mil reais.'],
    ['number', 'Faço por cinquenta por cento.'],
    ['number', 'Pague em três parcelas.'],
    ['number', 'O valor é ⅒ do total.'],
    ['number', 'O valor é １０.'],
    ['link', 'Pague em https://quita.example.golpe/checkout/abc'],
    ['link', 'Pague em golpe.com'],
    ['link', 'Escreva para a@b'],
    ['date', 'Pague até sexta.'],
    ['offer', 'Você tem desconto.'],
    ['offer', 'Podemos parcelar.'],
    ['threat', 'Vamos chamar a polícia.'],
    ['threat', 'Você será processado.'],
    ['threat', 'Seu nome vai para o SPC.'],
    ['shame', 'Que vergonha.'],
    ['third_party', 'Vamos falar com a sua família.'],
    ['false_urgency', 'Última chance!'],
    ['asks_for_data', 'Informe a sua senha.'],
    ['false_claim', 'A sua dívida foi cancelada.'],
    ['false_claim', 'Pagamento confirmado.'],
    ['false_claim', 'Sou uma pessoa de verdade.'],
    ['placeholder', 'Seu número é {{cpf}}.'],
    ['hidden_characters', 'Você tem des\u200bconto.'],
    ['hidden_characters', 'Você tem desc\u03bfnto.'],
    ['hidden_characters', 'Você tem d e s c o n t o.'],
  ])('refuses as %s: %s', (problem, body) => {
    expect(refuse(body)).toContain(problem);
  });

  describe.each(PRESSURE)('%s', (_, problem, bodies) => {
    it.each(bodies)('is refused: %s', (body) => {
      expect(refuse(body)).toContain(problem);
    });
  });

  it.each(HONEST)('takes no pressure from: %s', (body) => {
    expect(refuse(body)).toEqual([]);
  });

  it('accepts a known amount only when it is complete', () => {
    expect(refuse('O valor é R$ 91.234,56.')).toContain('number');
    expect(refuse('O valor é R$ 1.234,567.')).toContain('number');
  });

  it('refuses to mention a debt to another person', () => {
    const strict = { ...RULES, required: [], mayDisclose: false };
    expect(guardMessage('Desculpe o incômodo. Este número não será mais usado.', strict)).toEqual([]);
    expect(guardMessage('Avise que há um pagamento em aberto.', strict)).toContain('disclosure');
    expect(guardMessage('Diga a Maria que escreva.', strict)).toContain('disclosure');
  });

  it('allows a text to confirm that a paid debt is paid', () => {
    expect(refuse('Maria, o pagamento está confirmado.', { ...RULES, paid: true })).toEqual([]);
  });
});
