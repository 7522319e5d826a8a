import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { asksForSilence } from './opt-out.ts';

const oneOf = (list: string) => fc.constantFrom(...list.split('|'));
/** Parts joined by one space; an empty part leaves no trace. */
const sentence = (...parts: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((words) => words.filter((word) => word !== '').join(' '));

const GREETING = oneOf('|oi|bom dia|olha|moça|gente|ô|por favor|amigo|boa tarde,|prezados,');
const END = oneOf('|por favor|pfv|obrigado|viu|!!!|tá|ok|🙏|pelo amor de deus|caramba');
const TO_WRITE = oneOf(
  'mandar mensagem|mandar msg|enviar mensagens|chamar|perturbar|incomodar|encher|procurar|ligar|' +
    'contatar|importunar|atormentar|escrever|azucrinar|cobrar no zap|mandar isso',
);
const WRITE = oneOf(
  'mande|mandem|envie|enviem|chame|chamem|perturbe|perturbem|incomode|incomodem|procure|procurem|ligue|' +
    'liguem|contatem|escrevam|encham|importunem|notifiquem|atormente',
);
const MESSAGES = oneOf('mensagem|msg|mensagens|zap|notificação|sms|contato|lembretes|ligação|recados|whatsapp');
const MINE = oneOf('meu número|meu telefone|meu contato|meu zap|meu celular|meus dados|esse número|meu cadastro');

const ASKS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'stop writing': sentence(
    GREETING,
    oneOf(
      'para de|pare de|parem de|parem já de|chega de|deixa de|deixem de|quero que parem de|podem parar de|' +
        'cansei de vocês, parem de',
    ),
    oneOf('|me|ficar me'),
    TO_WRITE,
    END,
  ),
  'stop the messages': sentence(
    GREETING,
    oneOf(
      'chega de|parem com as|pare com essas|suspendam as|basta de|cancelem as|interrompam essas|sem mais|' +
        'solicito a suspensão das',
    ),
    oneOf('mensagens|notificações|ligações'),
    END,
  ),
  'do not write': sentence(
    GREETING,
    oneOf('não|nunca mais|n|por favor não|peço que não|não quero que vocês|quero que não|gostaria que não'),
    fc.constant('me'),
    WRITE,
    oneOf('|mais|aqui|mais por favor'),
    END,
  ),
  'do not want': sentence(
    GREETING,
    oneOf(
      'não quero|não desejo|não quero mais|não aceito|não autorizo|não tenho interesse em|nao gostaria de|' +
        'eu não aguento mais|não faço questão de',
    ),
    oneOf('receber|ficar recebendo|mais receber'),
    oneOf('|nenhuma|esse tipo de|essas'),
    MESSAGES,
    END,
  ),
  'be contacted': sentence(
    oneOf('não quero|não desejo|não quero mais|não gostaria de|prefiro não|não aceito'),
    oneOf('ser'),
    oneOf('contatado|contatada|incomodada|perturbado|cobrado por aqui|importunada|procurado|notificada'),
    END,
  ),
  remove: sentence(
    GREETING,
    oneOf(
      'tira|tirem|remova|remove|exclui|excluam|apaga|apaguem|deleta|retirem|elimine|pode tirar|' +
        'quero que apaguem|favor retirar|tem como excluir',
    ),
    oneOf('|o'),
    MINE,
    oneOf('|daí|da lista|do sistema de vocês|da base|desse cadastro'),
    END,
  ),
  'remove me': sentence(
    GREETING,
    oneOf('me tira|me tirem|me remove|me exclua|me excluam|me retirem|me apaga'),
    oneOf('daí|daqui|dessa lista|do cadastro|disso|da lista de vocês|dessa lista de transmissão'),
    END,
  ),
  leave: sentence(
    oneOf(
      'me deixa em paz|me deixem em paz|deixa eu em paz|me deixa quieto|larga do meu pé|sai do meu pé|' +
        'me esquece|vê se me esquece|me erra|some da minha vida|sai do meu zap|vai encher outro|' +
        'desiste de mim|quero sossego',
    ),
    END,
  ),
  block: sentence(
    oneOf(
      'vou bloquear|vou te bloquear|já bloqueei|tô bloqueando|vou ter que bloquear|bloqueei vocês|' +
        'se mandar de novo eu bloqueio|mais uma mensagem e eu bloqueio',
    ),
    END,
  ),
  'said afterwards': sentence(
    oneOf('|moço,|olhe,|oxente,'),
    oneOf('me mande|me chame|escreva|mande|não me mande|me procure'),
    oneOf('mais|mais nada|mais mensagem|mais isso'),
    oneOf('não|pra mim não|aqui não'),
    oneOf('|, viu? Deus abençoe|, por favor|, visse'),
  ),
  'spelt out': fc
    .constantFrom('parem', 'não me mande mais', 'sair', 'me deixe em paz', 'parar')
    .map((text) => text.replaceAll(' ', '').split('').join(' ')),
  'in the third person': sentence(
    oneOf('o cliente não|minha mãe não|a pessoa aqui não'),
    oneOf('deseja|quer|autoriza|aceita'),
    oneOf('receber mais mensagens|ser contatada|ser incomodada|mais mensagem|nenhum contato'),
  ),
  law: sentence(
    oneOf('pela LGPD|conforme a lei|com base na LGPD|'),
    oneOf(
      'solicito a exclusão dos meus dados|exijo que apaguem meus dados|revogo meu consentimento|' +
        'retiro minha autorização|me oponho ao uso dos meus dados|proíbo o uso do meu número|' +
        'exijo a remoção do meu contato',
    ),
    END,
  ),
};

const THING = oneOf('boleto|fatura|link|comprovante|código|contrato');
const MISSES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'other things stop': sentence(
    oneOf('para de|parem de|pare de|chega de'),
    oneOf('cobrar juros|colocar multa|cobrar taxa|aumentar os juros|mentir|me enrolar'),
    END,
  ),
  'other things are not to be sent': sentence(
    oneOf('não manda|não me manda|não precisa mandar|não envie|nao me mande'),
    THING,
    oneOf(', manda pix|, prefiro pix|que eu já tenho|, eu pago na lotérica'),
  ),
  'nothing came': sentence(
    oneOf('não recebi|não chegou|vocês não me mandaram|não me enviaram|ninguém me mandou|não consegui abrir'),
    oneOf('o|nenhum|esse'),
    THING,
    END,
  ),
  'removed from elsewhere': sentence(
    oneOf('tira|tirem|quando tiram|retirem|remove|limpa'),
    fc.constant('meu nome'),
    oneOf('do serasa|do spc|da lista de devedores|dos inadimplentes|do cadastro de inadimplentes'),
    oneOf('|que eu pago|se eu pagar?|por favor'),
  ),
  'once it is paid': sentence(
    oneOf('se eu pagar|quando eu quitar|depois que eu pagar|assim que eu pagar'),
    oneOf('vocês param de me mandar mensagem?|param de cobrar?|vocês me tiram da lista?|apagam meu número?'),
  ),
  'other things blocked': sentence(
    oneOf('meu cartão|minha conta|meu celular|meu pix|o aplicativo'),
    oneOf('foi bloqueado|tá bloqueada|ficou bloqueado'),
    END,
  ),
  'out of debt': sentence(
    oneOf('quero sair|preciso sair|como faço pra sair|tô tentando sair'),
    oneOf('dessa dívida|do vermelho|dessa situação|do serasa|desse sufoco'),
    END,
  ),
  'a person instead': sentence(
    oneOf('não quero falar com|chega de|não quero'),
    oneOf('robô|máquina'),
    oneOf(', quero um atendente|, me passa uma pessoa|, quero falar com gente'),
  ),
};

describe('asksForSilence', () => {
  it.each(Object.entries(ASKS))('hears every way to say: %s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (text) => asksForSilence(text)),
      { numRuns: 400 },
    );
  });

  it.each(Object.entries(MISSES))('hears none in: %s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (text) => !asksForSilence(text)),
      { numRuns: 400 },
    );
  });

  it.each(Object.entries(ASKS))('still hears beside a near miss: %s', (_, arbitrary) => {
    fc.assert(
      fc.property(fc.oneof(...Object.values(MISSES)), arbitrary, (miss, text) => asksForSilence(`${miss}. ${text}`)),
      { numRuns: 200 },
    );
  });

  it.each([
    'não precisa mandar boleto, manda pix',
    'já paguei, pode parar de cobrar',
    'pode parar a cobrança, já paguei',
    'some tudo e me passa o total',
    'me tira uma dúvida',
    'deixa eu ver com meu marido',
    'só me dá o copia e cola e para de textão',
    'não me mande o valor cheio, me mande com abatimento',
    'não há necessidade de envio ao jurídico, pago dia 20',
    'minhas contas pessoais foram bloqueadas',
    'não me liga agora, tô no trabalho',
    'vou denunciar no procon',
    'não aguento mais essa situação',
  ])('leaves %s alone', (text) => {
    expect(asksForSilence(text)).toBe(false);
  });
});
