/**
 * Characters that change the order in which a text is shown, with which a stranger can make a name or an amount read as
 * another one.
 */
const REORDERS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text in the order in which it was written; where something would have reordered it, a mark stands. */
export const inWrittenOrder = (text: string): string => text.replace(REORDERS, '\ufffd');

export interface TextPart {
  readonly text: string;
  /** Only an address of this service itself; every other one stays plain text. */
  readonly href: string | null;
}

const ENDS_ADDRESS = /[\s<>"'`\ufffd]/;
const CLOSES_SENTENCE = '.,;:!?)]}';
/** An address inside another one is part of it. */
const MAY_PRECEDE = /[\s([{"'<:>]/;

/** Splits a message into plain text and addresses of `origin`. */
export function partsOf(message: string, origin: string): readonly TextPart[] {
  const text = inWrittenOrder(message);
  const start = `${origin}/`;
  const parts: TextPart[] = [];
  let done = 0;
  let end = 0;
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, end)) {
    end = at + start.length;
    if (at > 0 && !MAY_PRECEDE.test(text[at - 1]!)) continue;
    while (end < text.length && !ENDS_ADDRESS.test(text[end]!)) end += 1;
    while (CLOSES_SENTENCE.includes(text[end - 1]!)) end -= 1;
    if (at > done) parts.push({ text: text.slice(done, at), href: null });
    const address = text.slice(at, end);
    parts.push({ text: address, href: URL.parse(address)?.origin === origin ? address : null });
    done = end;
  }
  if (done < text.length) parts.push({ text: text.slice(done), href: null });
  return parts;
}
