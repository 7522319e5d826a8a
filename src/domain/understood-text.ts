/** Of one text at most so many UTF-16 units are understood at once, as long as a channel's longest message. */
export const MOST_UNDERSTOOD = 4_096;
/** What stands on a cut is read on both of its sides: a wish is never longer. */
const OVERLAP = 256;

/** A long text in pieces that overlap, each cut where a word ends if there is such a place. */
const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MOST_UNDERSTOOD) {
    const space = rest.lastIndexOf(' ', MOST_UNDERSTOOD);
    const end = space > MOST_UNDERSTOOD - OVERLAP ? space : MOST_UNDERSTOOD;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end - OVERLAP);
  }
  return [...pieces, rest];
};

/**
 * The messages of one turn as they are understood: joined by line ends as long as they fit. What does not fit together is
 * understood apart, and nothing is left out, so that a wish for silence is heard wherever it stands.
 */
export const understoodTexts = (messages: readonly string[]): string[] => {
  const texts: string[] = [];
  for (const piece of messages.flatMap(piecesOf)) {
    const last = texts.at(-1);
    const fits = last !== undefined && last.length + 1 + piece.length <= MOST_UNDERSTOOD;
    if (fits) texts[texts.length - 1] = `${last}\n${piece}`;
    else texts.push(piece);
  }
  return texts;
};
