interface Words {
  readonly name: string;
  readonly text: string;
}

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Returns the answers that have all the words that were typed, without regard to accents and capitals. Those that have
 * them in their name come first, because a name is what one remembers of an answer.
 */
export function matching<Answer extends Words>(answers: readonly Answer[], typed: string): readonly Answer[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const hasAll = (text: string): boolean => {
    const inThis = folded(text);
    return words.every((word) => inThis.includes(word));
  };
  const found = answers.filter(({ name, text }) => hasAll(`${name} ${text}`));
  return [...found.filter(({ name }) => hasAll(name)), ...found.filter(({ name }) => !hasAll(name))];
}
