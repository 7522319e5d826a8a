import { normalizePortuguese } from '../../../../kernel/portuguese-text.ts';
import type { AutomaticWords } from '../../../messaging/ports/collection-agent.ts';
import { familiesOf } from '../lexicon/lexicon.ts';
import { asksForSilence } from './opt-out.ts';

/** Automatic answers are short. Whoever writes more than this is a person, or a machine that nobody could tell from one. */
const MAX_LENGTH = 1_500;
/** The lists of signs that have to match together, when nothing but the words is known. */
const SIGNS_THAT_SUFFICE = 2;

const familiesIn = (file: string): RegExp[] => familiesOf(file).map(({ source }) => new RegExp(source(), 'g'));

const ANSWERS = familiesIn('automatic-answers');
const SIGNS = familiesIn('automatic-signs');
const LIMITS = familiesIn('automatic-limits');
const MACHINE_TEXT = [...ANSWERS, ...SIGNS];

/** Cuts out what a machine says, so that only a request that stands beside it is obeyed. `~` is no word. */
const withoutMachineText = (text: string): string =>
  MACHINE_TEXT.reduce((left, family) => left.replace(family, '~'), text);

/** Returns what the words of one message say about whether a machine wrote it. */
export function automaticWords(message: string): AutomaticWords {
  if (message.length > MAX_LENGTH) return { automatic: 'no', asksForSilence: asksForSilence(message) };
  return {
    automatic: machineIn(normalizePortuguese(message)),
    asksForSilence: asksForSilence(message, withoutMachineText),
  };
}

function machineIn(text: string): AutomaticWords['automatic'] {
  // `search` reads from the beginning whatever was matched before, unlike `test` of a global expression.
  const matching = (families: readonly RegExp[]): number =>
    families.filter((family) => text.search(family) >= 0).length;
  if (matching(ANSWERS) > 0) return 'yes';
  const signs = matching(LIMITS) > 0 ? 0 : matching(SIGNS);
  if (signs >= SIGNS_THAT_SUFFICE) return 'yes';
  return signs > 0 ? 'perhaps' : 'no';
}
