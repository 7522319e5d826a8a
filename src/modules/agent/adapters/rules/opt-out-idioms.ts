import { familiesOf } from '../lexicon/lexicon.ts';

const PATTERNS = ['opt-out-idioms', 'opt-out-threats'].flatMap((file) =>
  familiesOf(file).flatMap(({ sources }) => sources().map((source) => new RegExp(source))),
);

/** Idioms, commands, threats and the law: requests for silence that no grammar composes. */
export const isSilenceIdiom = (text: string): boolean => PATTERNS.some((pattern) => pattern.test(text));
