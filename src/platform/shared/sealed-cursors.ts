import { type CredentialCipher, CredentialCipherError } from '../../kernel/ports/credential-cipher.ts';
import { invalidCursor } from './cursor.ts';

/** The lists of which the order is a number that counts the rows of all clients. */
export type SealedList = 'audit' | 'deliveries' | 'events' | 'sandbox outbox' | 'timeline';

/**
 * Cursors that are encrypted for their client, because the numbers in them would disclose how active other clients are.
 */
export interface SealedCursors {
  write(list: SealedList, clientId: string, ...parts: readonly (string | number | null)[]): string;
  /** Throws `validation_failed` for a cursor that this list never returned to this client. */
  read<T>(
    list: SealedList,
    clientId: string,
    cursor: string | undefined,
    position: (parts: readonly unknown[]) => T | null,
  ): T | undefined;
}

const contextOf = (list: SealedList, clientId: string): string => `${list} cursor of ${clientId}`;

export function createSealedCursors(cipher: CredentialCipher): SealedCursors {
  const open = (cursor: string, context: string): readonly unknown[] => {
    try {
      return JSON.parse(cipher.open(cursor, context)) as readonly unknown[];
    } catch (error) {
      if (error instanceof CredentialCipherError) throw invalidCursor();
      throw error;
    }
  };
  return {
    write: (list, clientId, ...parts) => cipher.seal(JSON.stringify(parts), contextOf(list, clientId)),
    read(list, clientId, cursor, position) {
      if (cursor === undefined) return undefined;
      const found = position(open(cursor, contextOf(list, clientId)));
      if (found === null) throw invalidCursor();
      return found;
    },
  };
}
