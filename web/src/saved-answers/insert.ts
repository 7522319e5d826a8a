/** A part of a text that is marked, or the place of the cursor where both are the same. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Puts words into a text in place of what is marked. A space keeps them from growing together with their neighbours. */
export function insert(text: string, { from, to }: Place, words: string): { readonly text: string; caret: number } {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const begin = before + (/\S$/.test(before) ? ' ' : '') + words;
  return { text: begin + (/^[\p{L}\p{N}]/u.test(after) ? ' ' : '') + after, caret: begin.length };
}
