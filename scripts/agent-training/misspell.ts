const BEFORE = [
  'oi',
  'olha',
  'moça',
  'moço',
  'bom dia',
  'boa tarde',
  'boa noite',
  'oi tudo bem',
  'entao',
  'mano',
  'amigo',
  'ola',
  'eita',
  'ah',
  'gente',
  'é que',
  'nossa',
  'oi bom dia',
  'prezados',
  'mas',
];
const AFTER = [
  'vlw',
  'obrigado',
  'por favor',
  'pfv',
  'ta',
  'viu',
  'blz',
  'moça',
  'kkk',
  '🙏',
  'ok',
  'amigo',
  'entendeu',
  '😢',
  'ne',
  'ai',
  'tá bom',
  'hein',
  'mesmo',
  '...',
];

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)]!;

const misspellWord = (word: string, random: () => number): string => {
  if (word.length < 4) return word;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const kind = random();
  if (kind < 0.3) return word.slice(0, at) + word.slice(at + 1);
  if (kind < 0.6) return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
  if (kind < 0.8) return word.slice(0, at) + word[at]! + word.slice(at);
  return word.slice(0, at) + pick([...'aeiourstn'], random) + word.slice(at + 1);
};

/** Returns a copy with typing errors, and sometimes with a greeting before it or thanks after it. */
export const misspell = (text: string, random: () => number): string => {
  const words = text.split(' ').map((word) => (random() < 0.12 ? misspellWord(word, random) : word));
  const before = random() < 0.2 ? `${pick(BEFORE, random)} ` : '';
  const after = random() < 0.2 ? ` ${pick(AFTER, random)}` : '';
  return before + words.join(' ') + after;
};

const BETWEEN = [', ', '. ', ' ', '\n', ' e ', ' mas '];

/** Joins two texts to one message, in random order. */
export const joinTexts = (text: string, other: string, random: () => number): string => {
  const between = pick(BETWEEN, random);
  return random() < 0.5 ? other + between + text : text + between + other;
};
