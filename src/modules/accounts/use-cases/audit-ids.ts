import { createHmac } from 'node:crypto';

/**
 * The audit log numbers its entries over all clients, so a number would disclose to a client how active the others are.
 * The id of an entry is therefore a keyed hash of its number in the format of a UUID.
 */
export interface AuditIds {
  idOf(clientId: string, seq: string): string;
}

/** The ids depend on the secret, so another secret changes the ids of existing entries. */
export const createAuditIds = (secret: string): AuditIds => ({
  idOf(clientId, seq) {
    const bytes = createHmac('sha256', secret).update(`audit entry ${clientId} ${seq}`).digest().subarray(0, 16);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  },
});
