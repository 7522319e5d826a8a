import { z } from 'zod';
import { canRead, issueOf } from '../../../platform/http/fields.ts';
import type { GivenAccount, GivenCertificate } from '../rules/given-account.ts';
import { PIX_PROFILE_NAMES, type PixProfileName } from '../rules/pix-profiles.ts';

const short = z.string().trim().min(1).max(512);
const secret = z.string().trim().min(1).max(4_096);
/** A chain of certificates and a long key fit into it. */
const file = z.string().trim().min(1).max(32_768);
const address = z.url({ protocol: /^https$/ }).max(512);

const tokenAccount = z.object({
  provider: z.literal('mercadopago'),
  accessToken: secret.describe('The access token of the account'),
  webhookSecret: secret.nullish().describe('The secret that signs its notifications; without it the deployment’s own'),
});

const pixAccount = z.object({
  provider: z.literal('pix'),
  profile: z.enum(PIX_PROFILE_NAMES as [PixProfileName, ...PixProfileName[]]).describe('The bank'),
  clientId: short,
  clientSecret: secret.nullish(),
  key: z.string().trim().min(1).max(77).describe('The Pix key to which the money goes'),
  certificate: file.nullish().describe('PEM'),
  privateKey: file.nullish().describe('PEM'),
  pkcs12: file.nullish().describe('Certificate and key in one file, as Base64; instead of the two above'),
  passphrase: z.string().max(512).nullish(),
  extra: z
    .record(z.string().max(40), short)
    .refine((given) => Object.keys(given).length <= 4, { params: { code: 'too_long' }, message: 'At most four' })
    .nullish()
    .describe('What the bank gives beside these: `developerKey` (Banco do Brasil), `accountNumber` (Inter)'),
  baseUrl: address.nullish().describe('Of the API; for `custom` alone'),
  tokenUrl: address.nullish().describe('Of the OAuth 2 token; for `custom` alone'),
  ca: file.nullish().describe('The certificate authority of the bank, as PEM; for `custom` alone'),
});

type PixForm = z.output<typeof pixAccount>;

const problem = (member: keyof PixForm, code: string, message: string) =>
  issueOf({ pointer: `/${member}`, code, message });

/** Returns what does not fit together of an account at a bank. */
function problemsOfPix(form: PixForm) {
  const { profile, certificate, privateKey, pkcs12 } = form;
  const isCustom = profile === 'custom';
  return [
    ...(certificate && !privateKey ? [problem('privateKey', 'required', 'A certificate needs its key')] : []),
    ...(privateKey && !certificate ? [problem('certificate', 'required', 'A key needs its certificate')] : []),
    ...(profile === 'bb' && !form.extra?.['developerKey']
      ? [problem('extra', 'required', 'Banco do Brasil wants the key of the application: developerKey')]
      : []),
    ...(pkcs12 && certificate ? [problem('pkcs12', 'not_allowed', 'Give the certificate once')] : []),
    ...(['baseUrl', 'tokenUrl'] as const).flatMap((name) =>
      isCustom && !form[name] ? [problem(name, 'required', 'A bank without a profile needs its addresses')] : [],
    ),
    ...(['baseUrl', 'tokenUrl', 'ca'] as const).flatMap((name) =>
      !isCustom && form[name] ? [problem(name, 'not_allowed', 'The profile of the bank has its addresses')] : [],
    ),
  ];
}

function certificateOf({ certificate, privateKey, pkcs12, passphrase }: PixForm): GivenCertificate | null {
  const opened = { passphrase: passphrase || null };
  if (pkcs12) return { kind: 'pkcs12', pkcs12, ...opened };
  return certificate && privateKey ? { kind: 'pem', certificate, privateKey, ...opened } : null;
}

export const givenAccount = z
  .discriminatedUnion('provider', [tokenAccount, pixAccount])
  .superRefine(
    (form, issues) => {
      if (form.provider === 'pix') for (const one of problemsOfPix(form)) issues.addIssue(one);
    },
    canRead('provider', 'profile', 'certificate', 'privateKey', 'pkcs12', 'extra', 'baseUrl', 'tokenUrl', 'ca'),
  )
  .transform((form): GivenAccount => {
    if (form.provider === 'mercadopago') return { ...form, webhookSecret: form.webhookSecret ?? null };
    const { provider, profile, clientId, key, clientSecret, baseUrl, tokenUrl, ca } = form;
    return {
      provider,
      profile,
      clientId,
      key,
      clientSecret: clientSecret ?? null,
      extra: form.extra ?? {},
      certificate: certificateOf(form),
      custom: baseUrl && tokenUrl ? { baseUrl, tokenUrl, caPem: ca ?? null } : null,
    };
  });
