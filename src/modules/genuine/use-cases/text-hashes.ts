import { createHmac, hkdfSync } from 'node:crypto';
import { wholeText } from '../rules/content.ts';

/** The keyed hashes of texts that were sent. Without the key nobody can find out which text a hash belongs to. */
export interface TextHashes {
  /** The hash under which a text is stored. */
  readonly toStore: (text: string) => Buffer;
  /** The hashes under which a text may be stored. */
  readonly toFind: (text: string) => Buffer[];
}

/**
 * The key is derived from `ENCRYPTION_KEY`: the first value makes hashes and all of them find. A text that was hashed
 * with a value which is no longer in the list is not found any more.
 */
export function createTextHashes(secrets: readonly string[]): TextHashes {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'quita sent texts', 32)));
  const [current] = keys;
  if (current === undefined) throw new RangeError('The hashes of texts need at least one secret.');
  const hash = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();
  return {
    toStore: (text) => hash(current, wholeText(text)),
    toFind: (text) => {
      const whole = wholeText(text);
      return keys.map((key) => hash(key, whole));
    },
  };
}
