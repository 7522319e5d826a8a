import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { asPkcs12, createAuthority } from '../../../../../testing/fake-bank/certificates.ts';
import { readCertificate } from './certificate.ts';
import { createCertificateReader } from './threads/certificate-reader.ts';

const NOW = new Date();
const authority = createAuthority();
const own = authority.issue('Credora Exemplo Ltda');
const pem = { kind: 'pem' as const, certificate: own.certificatePem, privateKey: own.privateKeyPem, passphrase: null };

describe('a certificate', () => {
  it('is read from PEM texts, with those that signed it in any order', () => {
    const read = readCertificate({ ...pem, certificate: authority.certificatePem + own.certificatePem }, NOW);
    expect(read).toMatchObject({ expiresAt: new X509Certificate(own.certificatePem).validToDate.toISOString() });
    const { certificatePem } = read as { certificatePem: string };
    expect(new X509Certificate(certificatePem).subject).toBe('CN=Credora Exemplo Ltda');
  });

  it.each(['aes256', '3des'] as const)('is read from PKCS#12 with %s', async (algorithm) => {
    const reader = createCertificateReader();
    const file = { kind: 'pkcs12' as const, pkcs12: asPkcs12(own, 'senha', algorithm) };
    const read = await reader({ ...file, passphrase: 'senha' }, NOW);
    expect(read).toMatchObject({ kind: 'read', expiresAt: new X509Certificate(own.certificatePem).validToDate });
    expect(await reader({ ...file, passphrase: 'outra' }, NOW)).toEqual({ kind: 'invalid', field: 'passphrase' });
  });

  it('is refused by what is wrong with it', () => {
    const other = authority.issue('Outra');
    const old = authority.issue('Antiga', { from: new Date(0), to: new Date(NOW.getTime() - 1_000) });
    const problem = (given: Parameters<typeof readCertificate>[0]) => readCertificate(given, NOW);
    expect(problem({ ...pem, privateKey: other.privateKeyPem })).toEqual({ problem: 'key_mismatch' });
    expect(problem({ ...pem, certificate: old.certificatePem, privateKey: old.privateKeyPem })).toEqual({
      problem: 'certificate_expired',
    });
    expect(problem({ ...pem, certificate: 'x' })).toEqual({ problem: 'certificate_invalid' });
    expect(problem({ ...pem, privateKey: '' })).toEqual({ problem: 'certificate_invalid' });
    expect(problem({ kind: 'pkcs12', pkcs12: 'AAAA', passphrase: null })).toEqual({ problem: 'certificate_invalid' });
    expect(problem({ kind: 'pkcs12', pkcs12: '%', passphrase: null })).toEqual({ problem: 'certificate_invalid' });
  });
});
