import { createHmac, timingSafeEqual } from 'node:crypto';

const PATH = '/api/payments/pix';

/**
 * Returns the address at which a bank tells of payments to an account. Its last part is secret: banks do not sign what
 * they send, and some cannot present a certificate.
 */
export const pixNotificationAddress = (
  publicUrl: string,
  accountId: string,
  [newest = '']: readonly string[],
): string => `${publicUrl}${PATH}/${accountId}/${secretOf(accountId, newest)}`;

/** Whether an address is, or was, one of the account: the host of the service and its keys may change. */
export const isOwnNotificationAddress = (address: string, accountId: string): boolean =>
  address.includes(`${PATH}/${accountId}/`);

/** Whether the last part of the address belongs to the account. Addresses under any of the keys hold. */
export function isSecretOfAccount(accountId: string, given: string, keys: readonly string[]): boolean {
  const candidate = Buffer.from(given);
  // Every key is compared, so that the time does not tell which one was right.
  return keys.map((key) => isEqual(candidate, Buffer.from(secretOf(accountId, key)))).includes(true);
}

const secretOf = (accountId: string, key: string): string =>
  createHmac('sha256', key).update(`pix-notifications:${accountId}`).digest('base64url');

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
