import { type GuardProblem, hasStrangeLetters, NO_NAME, patternsOf } from './message-guard.ts';
import { stripAccents } from './portuguese-text.ts';

/** What a name or an address must not say, because messages carry it to people as a known fact. */
export type NameProblem = Extract<
  GuardProblem,
  'link' | 'threat' | 'shame' | 'third_party' | 'false_urgency' | 'hidden_characters'
>;

export const NAME_PROBLEM_MESSAGES: Readonly<Record<NameProblem, string>> = {
  link: 'A name that messages carry has no link',
  threat: 'A name that messages carry must not threaten (Consumer Code, art. 42)',
  shame: 'A name that messages carry must not expose or ridicule (Consumer Code, art. 42)',
  third_party: 'A name that messages carry must not speak of family, work or other people',
  false_urgency: 'A name that messages carry must not press anybody',
  hidden_characters: 'A word of a name that messages carry has letters of one script alone',
};

/** The longest text that the patterns read; a name that is longer is refused by its field. */
const MAX_LENGTH = 400;

const LINK = patternsOf('link');

/** Words that no company, street or invoice needs. Each of them alone threatens, exposes or presses. */
const ALWAYS: readonly (readonly [NameProblem, RegExp])[] = [
  [
    'threat',
    /\b(?:serasa|spc|nomes? suj\w*|suj(?:ar|amos|aremos) (?:o|seu)|protest(?:o|os|ar|ad[oa]|amos|aremos)|negativ(?:ar|ad[oa]|amos|aremos|acao)|penhorar|penhorad[oa]|confisc\w*|ameac\w*|prender|sabemos onde|vai se arrepender|processad[oa]|processaremos|boletim de ocorrencia|oficial de justica)\b/,
  ],
  [
    'shame',
    /\b(?:vergonh\w*|calot\w*|devedor(?:a|es|as)?|inadimplent\w*|irresponsave\w*|desonest\w*|mau pagador|ma pagadora|vagabund\w*|safad[oa]\w*|ladra|ladrao|ladroes|mentiros\w*|idiota\w*|imbeci\w*|humilh\w*)\b/,
  ],
  [
    'false_urgency',
    /\b(?:ultim[oa]s? (?:chance|oportunidade|aviso|alerta|prazo)s?|pague (?:ja|hoje|agora|logo|imediatamente)|urgente|antes que)\b/,
  ],
];

/**
 * Words that real names have ("Silva & Filhos", "Juiz de Fora", "Rua da Cadeia"). They speak of the debtor only beside a
 * word that speaks to somebody.
 */
const BESIDE_SPEECH: readonly (readonly [NameProblem, readonly RegExp[]])[] = [
  ['threat', patternsOf('threat')],
  ['shame', patternsOf('shame')],
  ['third_party', patternsOf('third_party')],
];
const SPEECH =
  /\b(?:voce|te|vamos|vai|vao|iremos|ira|sera|serao|fal(?:o|ei|ar|am|amos|aremos|arei|ando)|avis(?:ar|amos|aremos|arei|ando)|cont(?:ar|amos|aremos|arei)|lig(?:o|ar|amos|aremos|arei)|diz(?:er|emos)|dir(?:ei|emos)|cham(?:ar|amos|aremos)|procur(?:ar|amos|aremos)|sab(?:e|em|era|erao)|mandar(?:emos|ei)?|mandamos|podemos|pode|pague|pagar)\b/;

/** Letters that are separated to hide a word from a reader of words: "S.E.R.A.S.A". */
const SEPARATED = /(?<!\p{L})\p{L}(?:[ .\-_*|/]\p{L}){3,}(?!\p{L})/gu;

/** Scripts whose letters look like ours, so that a whole word of them can look like a known one. */
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** A word that mixes ours with another script looks like a known one. A word of Japanese alone hides nothing. */
const isMixed = (word: string): boolean =>
  LOOK_ALIKE.test(word) || (hasStrangeLetters(word) && /\p{Script=Latin}/u.test(word));

/** Writes a text without accents and in lower case, and puts letters together that were separated to hide a word. */
export const plainOf = (text: string): string =>
  stripAccents(text.normalize('NFKC'))
    .toLowerCase()
    .replace(SEPARATED, (letters) => letters.replace(/[^\p{L}]/gu, ''))
    .replace(/(?<=\p{L})[_-]+(?=\p{L})/gu, ' ');

/** Returns what speaks against a name, a sender or a line of an address that messages name. */
export function nameProblems(text: string): readonly NameProblem[] {
  const given = text.slice(0, MAX_LENGTH);
  const problems = new Set<NameProblem>();
  if (given.split(/\P{L}+/u).some(isMixed)) problems.add('hidden_characters');
  const lower = stripAccents(given.normalize('NFKC')).toLowerCase();
  if (LINK.some((pattern) => pattern.test(lower))) problems.add('link');
  const plain = plainOf(given);
  for (const [problem, pattern] of ALWAYS) if (pattern.test(plain)) problems.add(problem);
  if (!SPEECH.test(plain)) return [...problems];
  for (const [problem, patterns] of BESIDE_SPEECH) {
    if (patterns.some((pattern) => pattern.test(plain))) problems.add(problem);
  }
  return [...problems];
}

/** Whether a person's first word can stand in a greeting. Nobody is called by a threat, whatever the client's file says. */
export function isGreetable(word: string): boolean {
  if (nameProblems(word).length > 0) return false;
  const plain = plainOf(word);
  return !NO_NAME.some((pattern) => pattern.test(plain));
}
