/** `E`, the institution (8 digits), the minute (12 digits) and 11 characters of the institution. */
const END_TO_END_ID = /^E\d{20}[A-Za-z0-9]{11}$/;
/** The id of a return has the same form with another letter. It is neither an end-to-end id nor a txid. */
const RETURN_ID = /^D\d{20}[A-Za-z0-9]{11}$/;
const TXID = /^[A-Za-z0-9]{26,35}$/;
/** A number of a document may be as long as a txid, and it has no letters. */
const hasBoth = (text: string): boolean => /[A-Za-z]/.test(text) && /\d/.test(text);

export const isTxid = (text: string): boolean => TXID.test(text);

export interface PixIds {
  readonly endToEndId: string | null;
  readonly txid: string | null;
}

/** Returns the ids that stand as words of their own in a text. */
export function pixIdsIn(text: string): PixIds {
  const words = text.split(/[^A-Za-z0-9]+/);
  return {
    endToEndId: words.find((word) => END_TO_END_ID.test(word)) ?? null,
    txid:
      words.find((word) => TXID.test(word) && hasBoth(word) && !END_TO_END_ID.test(word) && !RETURN_ID.test(word)) ??
      null,
  };
}
