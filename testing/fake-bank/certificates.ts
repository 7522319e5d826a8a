import { randomBytes } from 'node:crypto';
import forge from 'node-forge';

export interface TestCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface TestAuthority extends TestCertificate {
  issue(name: string, validity?: { readonly from: Date; readonly to: Date }): TestCertificate;
}

const DAY_MS = 24 * 3_600_000;

/** Authorities and certificates that live as long as a test. */
export function createAuthority(name = 'Autoridade de teste'): TestAuthority {
  const keys = forge.pki.rsa.generateKeyPair(2_048);
  const certificate = makeCertificate(name, keys.publicKey);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return {
    ...asPem(certificate, keys.privateKey),
    issue(subject, validity) {
      const own = forge.pki.rsa.generateKeyPair(2_048);
      const issued = makeCertificate(subject, own.publicKey, validity);
      issued.setIssuer(certificate.subject.attributes);
      issued.setExtensions([
        { name: 'basicConstraints', cA: false },
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ]);
      issued.sign(keys.privateKey, forge.md.sha256.create());
      return asPem(issued, own.privateKey);
    },
  };
}

function makeCertificate(
  name: string,
  publicKey: forge.pki.PublicKey,
  { from, to } = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + 365 * DAY_MS) },
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = from;
  certificate.validity.notAfter = to;
  certificate.setSubject([{ name: 'commonName', value: name }]);
  return certificate;
}

const asPem = (certificate: forge.pki.Certificate, key: forge.pki.PrivateKey): TestCertificate => ({
  certificatePem: forge.pki.certificateToPem(certificate),
  privateKeyPem: forge.pki.privateKeyToPem(key),
});

/** The file that a bank gives its client, as base64; `3des` is what Brazilian authorities still use. */
export function asPkcs12(
  { certificatePem, privateKeyPem }: TestCertificate,
  passphrase: string,
  algorithm: 'aes256' | '3des' = 'aes256',
): string {
  const asn1 = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(privateKeyPem),
    [forge.pki.certificateFromPem(certificatePem)],
    passphrase,
    { algorithm },
  );
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1').toString('base64');
}
