import { isGreetable, nameProblems } from './name-guard.ts';

/** The most characters of a company's name in a greeting. */
const MAX_COMPANY_LENGTH = 60;

/** What may stand behind the comma of a name in the usual order. */
const SUFFIX = /^(?:jr|junior|filho|neto|sobrinho|segundo|me|mei|epp|ltda)\b/i;

/** A register may write `SILVA, JOSÉ DA`: the name then begins behind the comma. */
function inUsualOrder(fullName: string): string {
  const [surname = '', given = ''] = fullName.split(',', 2).map((part) => part.trim());
  return surname !== '' && /^\p{L}{2}/u.test(given) && !SUFFIX.test(given) ? given : fullName;
}

/**
 * Messages show no other part of a person's name. Only letters are kept, because names come from a client's file, and a
 * word that threatens or insults is no name.
 */
export const firstNameOf = (fullName: string): string => {
  const word = inUsualOrder(fullName.normalize('NFC').trim()).split(/\s+/)[0] ?? '';
  const letters = word.replace(/[^\p{L}'-]/gu, '').slice(0, 30);
  return letters === '' || !isGreetable(word) || !isGreetable(letters)
    ? 'cliente'
    : letters[0]!.toLocaleUpperCase('pt-BR') + letters.slice(1).toLocaleLowerCase('pt-BR');
};

/**
 * Returns a company's name as it was given, because its first word alone may name another company. What could be read
 * as a placeholder or hide a word is left out, and a name that says more than who is meant is not used.
 */
export const companyNameOf = (name: string): string => {
  const shown = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}{}<>]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_COMPANY_LENGTH)
    .trim();
  return shown === '' || nameProblems(name).length > 0 ? 'cliente' : shown;
};
