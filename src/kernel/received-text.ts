/** The most characters (code points) of a received text that are stored. */
export const MAX_RECEIVED = 4_096;

export interface ReceivedText {
  readonly text: string;
  /** How many characters the text had before it was cut; null when it was not. */
  readonly cutFrom: number | null;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair, and one such text must not keep a batch from being stored. */
export const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Returns the text as it is stored. What is cut away is said on the timeline, by the length before. */
export function receivedText(given: string): ReceivedText {
  const text = storable(given);
  if (text.length <= MAX_RECEIVED) return { text, cutFrom: null };
  let characters = 0;
  let end = 0;
  for (const character of text) {
    if (characters < MAX_RECEIVED) end += character.length;
    characters += 1;
  }
  return characters <= MAX_RECEIVED ? { text, cutFrom: null } : { text: text.slice(0, end), cutFrom: characters };
}
