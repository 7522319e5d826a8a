import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4_096;

/**
 * Computes the form in which PostgreSQL stores a password (RFC 5802, RFC 7677), so that no statement and no log of the
 * server contains the password. The password must be ASCII, because other characters would have to be normalised.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyFor = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const serverKey = keyFor('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
