import type { PixProfileName } from './pix-profiles.ts';

/** A certificate with its key as a bank gives it: two texts, or one file of both, as Base64. */
export type GivenCertificate =
  | {
      readonly kind: 'pem';
      readonly certificate: string;
      readonly privateKey: string;
      readonly passphrase: string | null;
    }
  | { readonly kind: 'pkcs12'; readonly pkcs12: string; readonly passphrase: string | null };

interface GivenToken {
  readonly provider: 'mercadopago';
  readonly accessToken: string;
  readonly webhookSecret: string | null;
}

interface GivenPixAccount {
  readonly provider: 'pix';
  readonly profile: PixProfileName;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly key: string;
  readonly certificate: GivenCertificate | null;
  /** What the bank gives beside these, by the names of its profile. */
  readonly extra: Readonly<Record<string, string>>;
  readonly custom: { readonly baseUrl: string; readonly tokenUrl: string; readonly caPem: string | null } | null;
}

/** An account as a client, or the operator, gives it. */
export type GivenAccount = GivenToken | GivenPixAccount;
