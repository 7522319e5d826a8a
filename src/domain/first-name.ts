/** Messages show no other part of a name. Only letters are kept, because names come from a client's file. */
export const firstNameOf = (fullName: string): string => {
  const word = fullName.normalize('NFC').trim().split(/\s+/)[0] ?? '';
  const letters = word.replace(/[^\p{L}'-]/gu, '').slice(0, 30);
  return letters === ''
    ? 'cliente'
    : letters[0]!.toLocaleUpperCase('pt-BR') + letters.slice(1).toLocaleLowerCase('pt-BR');
};
