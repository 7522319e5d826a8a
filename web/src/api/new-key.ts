/**
 * A key for `Idempotency-Key`, kept for the repetitions of one request. `crypto.randomUUID` is absent where the console
 * is opened over plain http, as in a company's own network.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
