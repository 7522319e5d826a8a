import { stripAccents } from './portuguese-text.ts';

/**
 * What makes a message advertising for WhatsApp, whatever else it says. Each entry is a word, or words in a row; a `*`
 * stands for any end of a word. They are written without accents and in lower case.
 */
const MARKETING: readonly string[] = [
  ...['descont*', 'abatiment*', 'abate', 'abatem', 'abater', 'abatemos', 'abatido', 'rebaix*', 'reduz*', 'reduc*'],
  ...['metade', 'bonus', 'promo', 'promoc*', 'cashback', 'off', 'por menos', 'mais barato', 'economiz*', 'vantage*'],
  ...['pag* menos', 'custa menos', 'sai menos', 'fica menos', 'bem menos', 'muito menos', 'menor valor', 'valor menor'],
  ...['valor especial', 'preco especial', 'precos especiais', 'oferta', 'ofertas', 'ofert* especia*'],
  ...['condic* especia*', 'condic* facilitad*', 'condic* unic*', 'melhor* condic*', 'condic* melhor*'],
  ...[
    'imperdive*',
    'aproveit*',
    'oportunidade*',
    'exclusiv*',
    'novidade*',
    'tempo limitado',
    'so hoje',
    'somente hoje',
  ],
  ...[
    'gratis',
    'gratuit*',
    'de graca',
    'brinde*',
    'premio*',
    'sorteio*',
    'cupom',
    'cupons',
    'ganhe',
    'ganha',
    'ganhar',
  ],
  // Programmes and campaigns by which debts are settled for less.
  ...[
    'desenrola',
    'feirao',
    'feiroes',
    'mutirao',
    'mutiroes',
    'saldao',
    'limpa nome',
    'limpe o nome',
    'limpe seu nome',
  ],
  ...['nome limpo', 'refis', 'acordo certo', 'black friday', 'queima de', 'liquidac* especia*', 'liquidac* de dividas'],
];

const ENTRIES = MARKETING.map((entry) => entry.split(' '));
const MAX_FOUND = 10;

interface Word {
  readonly written: string;
  readonly folded: string;
}

const wordsOf = (text: string): Word[] =>
  (
    text
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).map((written) => ({
    written,
    folded: stripAccents(written).toLowerCase(),
  }));

const isWord = (part: string, word: Word | undefined): boolean =>
  word !== undefined && (part.endsWith('*') ? word.folded.startsWith(part.slice(0, -1)) : word.folded === part);

/**
 * Returns the words of a text that make it advertising, as they are written there, each once and at most ten. A template
 * with one of them is moved to the category that costs nine times as much and reaches fewer people.
 */
export function marketingWords(text: string): readonly string[] {
  const words = wordsOf(text);
  const found = new Map<string, string>();
  for (const index of words.keys()) {
    const entry = ENTRIES.find((parts) => parts.every((part, offset) => isWord(part, words[index + offset])));
    if (entry === undefined) continue;
    const run = words.slice(index, index + entry.length);
    const folded = run.map((word) => word.folded).join(' ');
    if (!found.has(folded)) found.set(folded, run.map((word) => word.written).join(' '));
    if (found.size === MAX_FOUND) break;
  }
  return [...found.values()];
}
