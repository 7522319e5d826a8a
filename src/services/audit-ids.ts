import { createHmac } from 'node:crypto';
import { type CredentialCipher, CredentialCipherError } from '../ports/credential-cipher.ts';
import { invalidCursor } from './cursor.ts';

/**
 * The log counts its entries over all clients, so that a number of it would tell a client how much others do. An entry is
 * known by a keyed hash of its number in the shape of a UUID, and a page ends at a number that is sealed for its client.
 */
export interface AuditIds {
  idOf(clientId: string, seq: string): string;
  cursorOf(clientId: string, seq: string): string;
  /** Throws `validation_failed` for what this list never gave this client. */
  seqOf(clientId: string, cursor: string): string;
}

const contextOf = (clientId: string): string => `audit cursor of ${clientId}`;

/** Another secret gives the same entries other ids. */
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
