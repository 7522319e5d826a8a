import { describe, expect, it } from '@jest/globals';
import { createLexicon } from './lexicon.ts';

const WORDS = `# What is sent.
message:
mensage*
recado[s]

# What is not meant.
thing:
boleto[s]
juros
`;

const lexiconOf = (content: string, words = WORDS) =>
  createLexicon(
    new Map([
      ['words-test.txt', words],
      ['test.txt', content],
    ]),
  );

/** Uses both lists, so that only the mistake under test is left. */
const USES = '# Uses the lists.\nuses:\n{message}\n{thing}\n';

describe('the notation', () => {
  const matches = (entry: string, text: string): boolean => {
    const [, family] = lexiconOf(`${USES}# Is tested.\ntested:\n${entry}\n`).familiesOf('test');
    return new RegExp(family!.source()).test(text);
  };

  it.each([
    ['chega', 'ja chega disso', 'chegada'],
    ['mand*', 'manda', 'comanda'],
    ['mand+', 'manda', 'mand'],
    ['obrigad(o|a)', 'obrigada', 'obrigade'],
    ['para[r]', 'parar', 'parara'],
    ['nao [me] mande', 'nao mande', 'nao te mande'],
    ['nao [me] mande', 'nao me mande', 'nao meu mande'],
    ['nao [me|mais]... mande', 'nao me mais mande', 'nao vou mande'],
    ['^(ok|sim)...$', 'ok', 'ok nao'],
    ['parem (ja|logo)..2 agora', 'parem ja logo agora', 'parem agora'],
    ['tira ..2 lista', 'tira meu nome lista', 'tira meu nome da lista'],
    ['tira 1..2 lista', 'tira dessa lista', 'tira lista'],
    ['tira ..2<not {thing}> lista', 'tira meu nome lista', 'tira os juros lista'],
    ['do meu _', 'do meu whatsapp', 'do meu'],
    ['{message}', 'uma mensagem', 'massagem'],
    ['chega de {message}', 'chega de recados', 'chega de boletos'],
    ['({message}|nada) mais', 'nada mais', 'tudo mais'],
    ['venc…', 'vencimento', 'convence'],
    ['…lhar', 'trabalhar', 'trabalharam'],
    ['em # vezes', 'em 3 vezes', 'em 12 vezes'],
    ['em ## vezes', 'em 12 vezes', 'em duas vezes'],
    ['chega <not before de {thing}>', 'chega de papo', 'chega de juros'],
    ['para <before de|com>', 'para de mandar', 'para mim'],
    ['<not after nao> paguei', 'ja paguei', 'nao paguei'],
    ['<after ^|so> para', 'so para', 'foi para'],
    ['robo <later pessoa>', 'chega de robo quero pessoa', 'pessoa e nao robo'],
    ['apaga <earlier numero>', 'esse numero apaga', 'apaga esse numero'],
    ['^parem <at most 5 letters more>', 'parem ja', 'parem de vez com isso'],
    ['por que ?', 'por que ?', 'por que'],
    ['nao quero\n  mais {message}', 'nao quero mais recado', 'nao quero recado'],
    ['(manda|\n  envia) nada', 'envia nada', 'nada'],
  ])('%j matches "%s" and not "%s"', (entry, match, miss) => {
    expect({ match: matches(entry, match), miss: matches(entry, miss) }).toEqual({ match: true, miss: false });
  });
});

describe('a mistake in a file', () => {
  const withEntry = (entry: string) => `${USES}# Is wrong.\nwrong:\n${entry}\n`;

  it.each([
    ['an unknown list', withEntry('chega de {mesage}'), 'test.txt:7: no list has the name mesage'],
    ['a duplicate', withEntry('chega\nbasta\nchega'), 'test.txt:9: "chega" is already in line 7 of the list'],
    ['a bracket that is not closed', withEntry('chega (de|da'), 'test.txt:7: ")" is missing'],
    ['a bracket that is not opened', withEntry('chega de)'), 'test.txt:7: ")" has no meaning here'],
    ['an empty choice', withEntry('chega (de|)'), 'test.txt:7: a choice beside "|" or in brackets is empty'],
    ['a list without an entry', `${USES}# Is empty.\nempty:\n`, 'test.txt:6: the list empty has no entry'],
    ['a list without a comment', `${USES}bare:\nchega\n`, 'test.txt:5: a comment above bare must say'],
    ['an accent', withEntry('trégua'), 'test.txt:7: "é" must be a small letter without an accent'],
    ['a capital letter', withEntry('Chega'), 'test.txt:7: "C" must be a small letter without an accent'],
    ['an unknown condition', withEntry('chega <behind de>'), 'test.txt:7: "<" has no meaning here'],
    ['an entry that requires nothing', withEntry('[chega] [de]'), 'test.txt:7: nothing is required'],
    ['an entry outside a list', 'chega\n', 'test.txt:1: an entry stands before the first name of a list'],
  ])('is refused with its file and line: %s', (_, content, message) => {
    expect(() => lexiconOf(content)).toThrow(message);
  });

  it.each([
    [
      'a list that nothing uses',
      `${WORDS}\n# Is not used.\nunused:\nchega\n`,
      'words-test.txt:12: no entry uses the list unused',
    ],
    [
      'two lists of one name',
      `${WORDS}\n# Is there twice.\nthing:\nchega\n`,
      'the list thing is already in words-test.txt:7',
    ],
  ])('is refused among the word lists: %s', (_, words, message) => {
    expect(() => lexiconOf(USES, words)).toThrow(message);
  });

  it('is refused when a list contains itself', () => {
    const words = `${WORDS}# Is a circle.\ncircle:\n{circle} mais\n`;
    expect(() => lexiconOf(`${USES}{circle}\n`, words).familiesOf('test')[0]!.source()).toThrow(
      'the list circle contains itself',
    );
  });
});
