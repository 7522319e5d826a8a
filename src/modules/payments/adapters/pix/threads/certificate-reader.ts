import { createWorkerPool } from '../../../../../platform/threads/worker-pool.ts';
import type { CertificateReader, ReadCertificate } from '../../../ports/certificate-reader.ts';
import type { GivenCertificate } from '../../../rules/given-account.ts';
import type { CertificateAnswer, CertificateProblem } from '../certificate.ts';

interface Job {
  readonly given: GivenCertificate;
  readonly now: Date;
}

const TIMEOUT_MS = 10_000;

/**
 * Reads a certificate in a thread of its own, because a file states itself how often its passphrase is hashed, which may
 * take hours. A file that takes longer than the limit cannot be used. Certificates are read one after the other.
 */
export function createCertificateReader({ timeoutMs = TIMEOUT_MS } = {}): CertificateReader {
  let last: Promise<unknown> = Promise.resolve();
  return (given, now) => {
    const reading = last.then(() => readOnce(given, now, timeoutMs));
    last = reading.catch(() => undefined);
    return reading;
  };
}

async function readOnce(given: GivenCertificate, now: Date, timeoutMs: number): Promise<ReadCertificate> {
  const pool = createWorkerPool<Job, CertificateAnswer>({
    workerUrl: new URL('./worker.ts', import.meta.url),
    threads: 1,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    timeoutMs,
    maxWaiting: 1,
    attempts: 1,
  });
  try {
    const answer = await pool.run([{ given, now }]).catch(() => ({ problem: 'certificate_invalid' }) as const);
    if ('problem' in answer) return problemOf(given, answer.problem);
    return { kind: 'read', ...answer, expiresAt: new Date(answer.expiresAt) };
  } finally {
    await pool.close('finish');
  }
}

function problemOf({ kind }: GivenCertificate, problem: CertificateProblem): ReadCertificate {
  const whole = kind === 'pkcs12' ? 'pkcs12' : 'certificate';
  if (problem === 'certificate_expired') return { kind: 'expired', field: whole };
  if (problem === 'passphrase_wrong') return { kind: 'invalid', field: 'passphrase' };
  return { kind: 'invalid', field: problem === 'key_mismatch' && kind === 'pem' ? 'privateKey' : whole };
}
