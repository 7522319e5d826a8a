/** The most UTF-16 units that are understood at once: the length of a channel's longest message. */
export const MAX_UNDERSTOOD = 4_096;
/** The overlap is longer than any request, so that a request at a cut is complete in one of the pieces. */
const OVERLAP = 256;

/** Splits a long text into overlapping pieces. Each piece ends at the end of a word where that is possible. */
const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_UNDERSTOOD) {
    const space = rest.lastIndexOf(' ', MAX_UNDERSTOOD);
    const end = space > MAX_UNDERSTOOD - OVERLAP ? space : MAX_UNDERSTOOD;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end - OVERLAP);
  }
  return [...pieces, rest];
};

/**
 * Joins the messages of one turn by line ends into texts of bounded length. Messages that do not fit together become
 * separate texts, and none is left out, so that an opt-out is recognised at any position.
 */
export const understoodTexts = (messages: readonly string[]): string[] => {
  const texts: string[] = [];
  for (const piece of messages.flatMap(piecesOf)) {
    const last = texts.at(-1);
    const fits = last !== undefined && last.length + 1 + piece.length <= MAX_UNDERSTOOD;
    if (fits) texts[texts.length - 1] = `${last}\n${piece}`;
    else texts.push(piece);
  }
  return texts;
};
