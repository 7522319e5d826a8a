import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import type { GivenCertificate } from '../../rules/given-account.ts';

export type CertificateProblem = 'certificate_invalid' | 'passphrase_wrong' | 'key_mismatch' | 'certificate_expired';

export type CertificateAnswer =
  | { readonly certificatePem: string; readonly privateKeyPem: string; readonly expiresAt: string }
  | { readonly problem: CertificateProblem };

const MAX_LENGTH = 64 * 1_024;

class Unusable extends Error {
  readonly problem: CertificateProblem;
  constructor(problem: CertificateProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Reads a certificate and its key, and returns both as PEM. It may take seconds for a file that was made to be slow, so
 * the service calls it in a thread.
 */
export function readCertificate(given: GivenCertificate, now: Date): CertificateAnswer {
  try {
    const { chain, key } = given.kind === 'pkcs12' ? ofPkcs12(given) : ofPem(given);
    const own = chain.find((one) => one.checkPrivateKey(key));
    if (own === undefined) throw new Unusable('key_mismatch');
    if (own.validToDate <= now) throw new Unusable('certificate_expired');
    // The bank reads the client's own certificate first, and then those that signed it.
    const ordered = [own, ...chain.filter((one) => one !== own)];
    return {
      certificatePem: ordered.map(String).join(''),
      privateKeyPem: String(key.export({ type: 'pkcs8', format: 'pem' })),
      expiresAt: own.validToDate.toISOString(),
    };
  } catch (error) {
    return { problem: error instanceof Unusable ? error.problem : 'certificate_invalid' };
  }
}

interface Pair {
  readonly chain: readonly X509Certificate[];
  readonly key: KeyObject;
}

const PEM_CERTIFICATE = '-----BEGIN CERTIFICATE-----';

function ofPem(given: Extract<GivenCertificate, { kind: 'pem' }>): Pair {
  if (given.certificate.length > MAX_LENGTH || given.privateKey.length > MAX_LENGTH) {
    throw new Unusable('certificate_invalid');
  }
  const chain = given.certificate
    .split(PEM_CERTIFICATE)
    .slice(1)
    .map((part) => new X509Certificate(PEM_CERTIFICATE + part));
  if (chain.length === 0) throw new Unusable('certificate_invalid');
  const isEncrypted = given.privateKey.includes('ENCRYPTED');
  try {
    const key = createPrivateKey({
      key: given.privateKey,
      ...(given.passphrase === null ? {} : { passphrase: given.passphrase }),
    });
    return { chain, key };
  } catch {
    throw new Unusable(isEncrypted ? 'passphrase_wrong' : 'certificate_invalid');
  }
}

// Decision: node-forge. OpenSSL 3 inside Node refuses the RC2 and 3DES of files that Brazilian authorities and banks
// make and never returns the key, and pkijs has no RC2 or 3DES because WebCrypto has none. node-forge reads both, and
// keeps as ASN.1 what is not RSA, so that elliptic keys work too; its release of this month shows that it is kept.
function ofPkcs12({ pkcs12, passphrase }: Extract<GivenCertificate, { kind: 'pkcs12' }>): Pair {
  const base64 = pkcs12.replace(/[\r\n]/g, '');
  if (base64.length > MAX_LENGTH || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new Unusable('certificate_invalid');
  const asn1 = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(base64, 'base64').toString('latin1')));
  const file = openPkcs12(asn1, passphrase ?? '');
  const chain: X509Certificate[] = [];
  const keys: KeyObject[] = [];
  for (const bag of file.safeContents.flatMap(({ safeBags }) => safeBags)) {
    if (bag.type === forge.pki.oids.certBag) {
      const der = bag.cert ? forge.pki.certificateToAsn1(bag.cert) : bag.asn1;
      chain.push(new X509Certificate(derOf(der)));
    } else if (bag.type === forge.pki.oids.pkcs8ShroudedKeyBag || bag.type === forge.pki.oids.keyBag) {
      const info = bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : bag.asn1;
      keys.push(createPrivateKey({ key: derOf(info), format: 'der', type: 'pkcs8' }));
    }
  }
  const [key] = keys;
  if (chain.length === 0 || key === undefined) throw new Unusable('certificate_invalid');
  return { chain, key };
}

function openPkcs12(asn1: forge.asn1.Asn1, passphrase: string): forge.pkcs12.Pkcs12Pfx {
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1, passphrase);
  } catch (error) {
    // The library says this in words alone.
    const wrong = error instanceof Error && /password|MAC could not be verified/i.test(error.message);
    throw new Unusable(wrong ? 'passphrase_wrong' : 'certificate_invalid');
  }
}

const derOf = (asn1: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
