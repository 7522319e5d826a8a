import { createHmac } from 'node:crypto';
import { type CredentialCipher, CredentialCipherError } from '../../ports/credential-cipher.ts';
import { invalidCursor } from './cursor.ts';

/**
 * The audit log numbers its entries over all clients, so a number would disclose to a client how active the others are.
 * The id of an entry is therefore a keyed hash of its number in the format of a UUID, and a cursor is a number that is
 * encrypted for its client.
 */
export interface AuditIds {
  idOf(clientId: string, seq: string): string;
  cursorOf(clientId: string, seq: string): string;
  /** Throws `validation_failed` for a cursor that this list never returned to this client. */
  seqOf(clientId: string, cursor: string): string;
}

const contextOf = (clientId: string): string => `audit cursor of ${clientId}`;

/** The ids depend on the secret, so another secret changes the ids of existing entries. */
export function createAuditIds(parts: { readonly secret: string; readonly cipher: CredentialCipher }): AuditIds {
  return {
    idOf(clientId, seq) {
      const bytes = createHmac('sha256', parts.secret)
        .update(`audit entry ${clientId} ${seq}`)
        .digest()
        .subarray(0, 16);
      bytes[6] = (bytes[6]! & 0x0f) | 0x40;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    cursorOf: (clientId, seq) => parts.cipher.seal(seq, contextOf(clientId)),
    seqOf(clientId, cursor) {
      try {
        return parts.cipher.open(cursor, contextOf(clientId));
      } catch (error) {
        if (error instanceof CredentialCipherError) throw invalidCursor();
        throw error;
      }
    },
  };
}
