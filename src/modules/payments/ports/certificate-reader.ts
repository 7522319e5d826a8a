import type { GivenCertificate } from '../rules/given-account.ts';

export type ReadCertificate =
  | { readonly kind: 'read'; readonly certificatePem: string; readonly privateKeyPem: string; readonly expiresAt: Date }
  | { readonly kind: 'expired' | 'invalid'; readonly field: 'certificate' | 'privateKey' | 'pkcs12' | 'passphrase' };

/** Opens a certificate, and says which part of it is wrong. */
export type CertificateReader = (given: GivenCertificate, now: Date) => Promise<ReadCertificate>;
