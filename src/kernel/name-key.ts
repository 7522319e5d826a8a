/** Bounds the entry of an index: a character may fold into many. */
const MAX_CHARACTERS = 200;

/**
 * Returns the form in which names are searched: accents, capitals and the number of spaces make no difference.
 */
export const nameKeyOf = (name: string): string => {
  const folded = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
  return folded.length <= MAX_CHARACTERS ? folded : [...folded].slice(0, MAX_CHARACTERS).join('');
};
