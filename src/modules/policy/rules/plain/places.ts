import type { State } from '../../../../kernel/phone.ts';

/** A place as the numbering plan says it: the states of an area code, and the hours that its clocks are behind UTC. */
interface PlainPlace {
  readonly states: readonly State[];
  readonly behind: readonly number[];
}

/** Anatel's list of area codes. Where a code crosses a border, both states are named. */
const CODES: Readonly<Record<State, string>> = {
  AC: '68',
  AL: '82',
  AM: '92 97',
  AP: '96',
  BA: '71 73 74 75 77',
  CE: '85 88',
  DF: '61',
  ES: '27 28',
  GO: '61 62 64',
  MA: '98 99',
  MG: '31 32 33 34 35 37 38',
  MS: '67',
  MT: '65 66',
  PA: '91 93 94',
  PB: '83',
  PE: '81 87',
  PI: '86 89',
  PR: '41 42 43 44 45 46 47 49',
  RJ: '21 22 24',
  RN: '84',
  RO: '69',
  RR: '95',
  RS: '51 53 54 55',
  SC: '42 47 48 49',
  SE: '79',
  SP: '11 12 13 14 15 16 17 18 19',
  TO: '63',
};
const ALL = Object.keys(CODES) as State[];

/** Brasília is three hours behind UTC; the list names what is not. */
const behindOf = (code: string, states: readonly State[]): number[] => {
  if (code === '97') return [4, 5]; // The west of Amazonas keeps the time of Acre.
  if (code === '81') return [3, 2]; // Fernando de Noronha is called by 81.
  if (states.includes('AC')) return [5];
  return states.some((state) => ['AM', 'MT', 'MS', 'RO', 'RR'].includes(state)) ? [4] : [3];
};

/** A code that nobody knows may be anywhere. */
export function plainPlace(code: string): PlainPlace {
  const states = ALL.filter((state) => CODES[state].split(' ').includes(code));
  return states.length === 0 ? { states: ALL, behind: [3, 2, 4, 5] } : { states, behind: behindOf(code, states) };
}

/** One area code for each set of states and clocks, and one that nobody knows. */
export function eachPlace(): readonly { readonly code: string; readonly place: PlainPlace }[] {
  const codes = [...new Set(ALL.flatMap((state) => CODES[state].split(' ')))].sort();
  const seen = new Map<string, string>();
  for (const code of [...codes, '00']) {
    const name = JSON.stringify(plainPlace(code));
    if (!seen.has(name)) seen.set(name, code);
  }
  return [...seen.values()].map((code) => ({ code, place: plainPlace(code) }));
}

/** Every area code, and one that nobody knows. */
export const PLAIN_CODES: readonly string[] = [
  ...new Set(ALL.flatMap((state) => CODES[state].split(' '))),
  '00',
].sort();
