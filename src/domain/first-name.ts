/** Messages show no other part of a person's name. Only letters are kept, because names come from a client's file. */
export const firstNameOf = (fullName: string): string => {
  const word = fullName.normalize('NFC').trim().split(/\s+/)[0] ?? '';
  const letters = word.replace(/[^\p{L}'-]/gu, '').slice(0, 30);
  return letters === ''
    ? 'cliente'
    : letters[0]!.toLocaleUpperCase('pt-BR') + letters.slice(1).toLocaleLowerCase('pt-BR');
};

/**
 * Returns a company's name as it was given, because its first word alone may name another company. What could be read
 * as a placeholder or hide a word is left out.
 */
export const companyNameOf = (name: string): string => {
  const shown = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}{}<>]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
    .trim();
  return shown === '' ? 'cliente' : shown;
};
