import { describe, expect, it } from '@jest/globals';
import { expectCostBelow } from '../../../../../testing/cpu-cost.ts';
import type { Intent, QuestionTopic } from '../../../debts/rules/intents.ts';
import type { Conversation } from '../../../messaging/ports/collection-agent.ts';
import { understandByRules } from './understand.ts';

const CONVERSATION: Conversation = {
  debtId: 'd',
  debtorName: 'Ana',
  today: '2026-11-18',
  isBusinessDay: (date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()),
  turns: [],
};
const read = (text: string, conversation = CONVERSATION) => understandByRules(text, conversation);

describe('understandByRules', () => {
  const optOut = (text: string) => [text, 'opt_out'] as const;
  const cases: readonly (readonly [string, Intent])[] = [
    ['para de me mandar mensagem', 'opt_out'],
    ['me tira dessa lista', 'opt_out'],
    ['sai fora', 'opt_out'],
    ['PARAR', 'opt_out'],
    ['SAIR', 'opt_out'],
    ['STOP', 'opt_out'],
    ...['STOPALL', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'SUSPENDER', 'do not contact me'].map(optOut),
    ...['BAJA', 'no me llamen más', 'no quiero recibir más mensajes', 'déjenme en paz', 'eliminen mi número'].map(
      optOut,
    ),
    ['nao me chame mais', 'opt_out'],
    ['bloqueado', 'opt_out'],
    ['já paguei, parem de cobrar', 'opt_out'],
    ['oi\nparar', 'opt_out'],
    ...['_PARAR_', '*_parar_*', '"_PARAR_"', '~_parar_~', '_END_', 'oi, _não me mande mais mensagens_'].map(optOut),
    ['_já paguei_', 'already_paid'],
    ['_não reconheço essa dívida_', 'dispute'],
    ['meu e-mail é ana_parar_souza@exemplo.com', 'other'],
    ['p\u200bara de me mandar mensagem', 'opt_out'],
    ['não envie.', 'opt_out'],
    ['pode me excluir por favor', 'opt_out'],
    ['quero ser removida', 'opt_out'],
    ['dispenso mensagens', 'opt_out'],
    ['nao chama', 'opt_out'],
    ['não quero mais parcelar', 'negotiate'],
    ['quero parar de dever', 'wants_to_pay'],
    ['meu cartão foi bloqueado', 'other'],
    ['meu celular não liga mais', 'other'],
    ['não vou poder entrar em contato hoje', 'other'],
    ['vou parar de procurar outro dentista', 'other'],
    ['já exclui do celular', 'other'],
    ['posso sair antes das 15h?', 'question'],
    ['vocês vão parar no feriado?', 'question'],
    ['end. rua das flores, 10', 'other'],
    ['não sai o código aqui, manda o pix', 'wants_to_pay'],
    ['não me manda boleto, manda o pix', 'wants_to_pay'],
    ['tira meu nome do serasa que eu pago', 'wants_to_pay'],
    ['se eu pagar vocês param de mandar mensagem?', 'question'],
    ['não sou o Carlos', 'wrong_person'],
    ['não sou o Carlos, para de mandar mensagem', 'wrong_person'],
    ['esse número não é dela', 'wrong_person'],
    ['ele faleceu', 'wrong_person'],
    ['perdi o emprego', 'hardship'],
    ['quero falar com atendente', 'human'],
    ['tem desconto?', 'negotiate'],
    ['isso é golpe?', 'question'],
    ['não reconheço essa dívida', 'dispute'],
    ['vou processar vocês', 'dispute'],
    ['ok', 'other'],
    ['manda o pix', 'wants_to_pay'],
    ['pago sexta', 'promise'],
    ['quando eu receber eu pago', 'promise'],
    ['ja paguei', 'already_paid'],
  ];

  it.each(cases)('%s -> %s', (text, intent) => {
    expect(read(text).intent).toBe(intent);
  });

  it('keeps what else a message says', () => {
    expect(read('já paguei, parem de cobrar').also).toContain('already_paid');
    expect(read('não sou o Carlos, para de mandar mensagem').also).toContain('opt_out');
    expect(read('pago sexta. quanto é mesmo?')).toMatchObject({
      intent: 'promise',
      date: '2026-11-20',
      topics: ['amount'],
    });
  });

  it('reads the date of a promise, and none where none is named', () => {
    expect(read('pago dia 10').date).toBe('2026-12-10');
    expect(read('pago quando receber').date).toBeNull();
    expect(read('paguei sexta').date).toBeNull();
  });

  it('takes a bare date for a promise once a day was asked for', () => {
    const turns = [{ from: 'creditor' as const, text: 'Em que dia fica bom para você?', at: 0 }];
    expect(read('pode ser dia 10', { ...CONVERSATION, turns })).toMatchObject({
      intent: 'promise',
      date: '2026-12-10',
    });
  });

  const topics: readonly (readonly [string, QuestionTopic])[] = [
    ['quanto eu devo?', 'amount'],
    ['que divida é essa?', 'origin'],
    ['A que se refere essa cobrança?', 'origin'],
    ['Poderia me informar a que se refere?', 'origin'],
    ['quando venceu?', 'due_date'],
    ['que empresa é essa?', 'creditor'],
    ['qual o cnpj?', 'cnpj'],
    ['isso é golpe?', 'fraud'],
    ['vou receber recibo?', 'receipt'],
    ['quando meu nome sai do serasa?', 'bureau'],
    ['aceita cartão?', 'how_to_pay'],
    ['como conseguiram meu número?', 'privacy'],
    ['quais dados vocês têm de mim?', 'privacy'],
    ['Que informações vocês guardam sobre mim?', 'privacy'],
    ['quais são os meus direitos?', 'privacy'],
    ['tenho direito a quê?', 'privacy'],
    ['por que minha nota é essa?', 'privacy'],
    ['quero uma cópia dos meus dados', 'privacy'],
    ['Quero ter acesso aos meus dados pessoais', 'privacy'],
    ['quero corrigir meu cadastro', 'privacy'],
    ['o que vocês sabem de mim?', 'privacy'],
    ['quero saber meus direitos', 'privacy'],
    ['quero que revisem minha nota', 'privacy'],
    ['que horas vocês abrem?', 'unknown'],
  ];

  it.each(topics)('%s asks about %s', (text, topic) => {
    expect(read(text)).toMatchObject({ intent: 'question', topics: [topic] });
  });

  it('takes no payment, dispute or request for silence for a question about data', () => {
    expect(read('quero pagar o pix e atualizar meu cadastro').intent).toBe('wants_to_pay');
    expect(read('não devo nada e quero saber meus direitos').intent).toBe('dispute');
    expect(read('vou atrás dos meus direitos na justiça').intent).toBe('dispute');
    expect(read('apaguem meus dados').intent).toBe('opt_out');
  });

  it('tells news of a death from another mistake', () => {
    expect(read('ela faleceu').mentionsDeath).toBe(true);
    expect(read('número errado').mentionsDeath).toBe(false);
  });

  it.each(['', '   ', '\u200b', '.', 'x'.repeat(4096), '🙂🙂', '9'.repeat(500), 'нет', 'مرحبا'])(
    'survives %j',
    (text) => {
      expect(read(text).intent).not.toBe('opt_out');
    },
  );

  it.each([
    'haha',
    'kk ',
    'nao ',
    'para de ',
    'nao me ',
    'ja paguei ',
    'dia 10 ',
    'tira o meu ',
    'a ',
    'vou bloquear ',
    'sexta ou ',
    'não quero mais que vocês ',
    '1 ',
    'R$ 1,',
    'me da uma ',
  ])('reads 4,096 characters of "%s" in a moment', async (part) => {
    const text = `${part.repeat(Math.ceil(4096 / part.length)).slice(0, 4090)} xyz!`;
    await expectCostBelow(200, () => read(text));
  });
});
