import { z } from 'zod';
import { parseCnpj } from '../../../kernel/cnpj.ts';
import { COLLECTS_FOR } from '../../../kernel/collects-for.ts';
import { LAUNCH_NEEDS } from '../../../kernel/launch-needs.ts';
import { LAWFUL_GROUNDS } from '../../../kernel/lawful-ground.ts';
import { MEMBER_ROLES } from '../../../kernel/member-rights.ts';
import { NAME_PROBLEM_MESSAGES, nameProblems } from '../../../kernel/name-guard.ts';
import { STATES } from '../../../kernel/phone.ts';
import { plainText } from '../../../kernel/plain-text.ts';
import type { EmailProblem } from '../rules/corporate-email.ts';
import { normaliseEmail } from '../rules/corporate-email.ts';
import { REFRESH_TOKEN_DAYS } from '../rules/token-lifetimes.ts';

// An empty text and U+0000 are accepted here because other rules refuse them: each problem is reported once.
const isReadable = (text: string): boolean =>
  text === '' ||
  text.includes('\0') ||
  (plainText(text, 1, text.length) !== null && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text));

/**
 * A line that debtors read. As in their own names, it has no invisible characters and at least one visible character.
 */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(isReadable, {
      params: { code: 'invalid_value' },
      message: 'Readable text in one line is expected',
    });

/** Refuses a threat, an insult or a link where a name is typed: messages carry the name to people as a known fact. */
export const refuseSpeech = (text: string, issues: z.core.$RefinementCtx<string>): void => {
  for (const problem of nameProblems(text)) {
    const params = { code: `text_${problem}` };
    issues.addIssue({ code: 'custom', params, message: NAME_PROBLEM_MESSAGES[problem] });
  }
};

/** A line of which messages and pages tell debtors that it is the creditor's name or address. */
export const namingLine = (max: number) =>
  line(max).superRefine((text, issues) => {
    // What is no readable line was refused already.
    if (text !== '' && isReadable(text)) refuseSpeech(text, issues);
  });

/** An e-mail address, normalised to one spelling. */
export const emailField = z
  .string()
  .transform((text, issues) => {
    const email = normaliseEmail(text.trim());
    if (email !== null) return email;
    issues.addIssue({ code: 'custom', params: { code: 'email_invalid' }, message: 'This is not an e-mail address' });
    return z.NEVER;
  })
  .meta({ description: 'An e-mail address' });

export const corporateEmailField = ({
  checkCorporateEmail,
}: {
  readonly checkCorporateEmail: (email: string) => EmailProblem | null;
}) =>
  emailField
    .refine((email) => checkCorporateEmail(email) === null, {
      params: { code: 'email_not_corporate' },
      message: 'Use an e-mail of the company’s own domain',
    })
    .meta({ description: 'A corporate e-mail address: no free or disposable provider' });

const isStrong = (password: string): boolean =>
  password.length >= 8 && /\p{Lu}/u.test(password) && /[0-9]/.test(password);

const MAX_PASSWORD_LENGTH = 256;

export const newPasswordField = z
  .string()
  .max(MAX_PASSWORD_LENGTH)
  .refine(isStrong, {
    params: { code: 'password_weak' },
    message: 'At least 8 characters with an upper-case letter and a digit are needed',
  })
  .meta({ description: 'At least 8 characters, 1 upper-case letter, 1 digit', minLength: 8 });

/** An existing password, which is only compared, so the rules for new ones do not apply. */
export const passwordField = z.string().min(1).max(MAX_PASSWORD_LENGTH);

/** A code of an app or a recovery code, as a person types it. */
export const codeField = z.string().min(1).max(64).describe('A code of the app, or a recovery code');

export const cnpjField = z
  .string()
  .transform((text, issues) => {
    const cnpj = parseCnpj(text);
    if (cnpj !== null) return cnpj;
    issues.addIssue({ code: 'custom', params: { code: 'cnpj_invalid' }, message: 'This is not a valid CNPJ' });
    return z.NEVER;
  })
  .meta({ description: 'CNPJ, numeric or alphanumeric, formatted or not' });

export const segmentField = z.enum(['fintech', 'banco', 'saude', 'utilities', 'saas', 'outro']);

export const lawfulGroundField = z
  .enum(LAWFUL_GROUNDS)
  .describe(
    'The ground on which debtors’ data is processed, which their pages name: `contract` (LGPD, art. 7, V and X) or `consent` (art. 7, I)',
  );

export const collectsForField = z
  .enum(COLLECTS_FOR)
  .describe(
    'Whose debts you collect: your own (`itself`), or those of others (`others`), for which rules with `binds: "collectors"` hold as well',
  );

export const autoRefundExcessField = z
  .boolean()
  .describe(
    'Whether what a debtor pays by a code beyond what is owed is given back by itself, once, by the provider that took it',
  );

export const requireSecondFactorField = z
  .boolean()
  .describe('Whether a member without a second factor may do no more than set one up');

export const addressField = z.object({
  street: namingLine(200),
  number: namingLine(20),
  district: namingLine(100),
  city: namingLine(100),
  state: z.enum(STATES),
  postalCode: z
    .string()
    .trim()
    .regex(/^\d{5}-?\d{3}$/, 'A CEP has 8 digits'),
});

/**
 * An opaque token of this service. No length is checked here, because the use case refuses every token it did not
 * issue.
 */
export const secretField = z.string().min(1);

export const clientSummary = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    plan: z.string(),
    status: z.enum(['ONBOARDING', 'ACTIVE', 'PAUSED', 'CANCELLED']),
    trialEndsAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ClientSummary' });

/** The person who works for the client. */
export const memberSummary = z
  .object({ id: z.uuid(), name: z.string(), email: z.string(), role: z.enum(MEMBER_ROLES) })
  .meta({ id: 'MemberSummary' });

const storedAddress = {
  street: z.string(),
  number: z.string(),
  district: z.string(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
};

export const account = clientSummary
  .extend({
    cnpj: z.string().nullable(),
    segment: z.string().nullable(),
    address: z.object(storedAddress).nullable(),
    contactEmail: z.string().nullable().describe('The only e-mail that debtors see'),
    lawfulGround: lawfulGroundField.nullable(),
    collectsFor: collectsForField,
    autoRefundExcess: autoRefundExcessField,
    requireSecondFactor: requireSecondFactorField,
    emailConfirmed: z.boolean(),
    verified: z
      .boolean()
      .describe('The operator has checked the company with its present name, CNPJ, address, senders and `collectsFor`'),
    missing: z
      .array(z.enum(LAUNCH_NEEDS))
      .describe(
        'What is still missing for a launch that contacts real people: the confirmed e-mail address (`email_confirmation`), the operator’s check (`verification`), `cnpj` and `address` of the company, and its own connected `payment_provider` and messaging `channel`',
      ),
    apiKey: z
      .object({
        createdAt: z.iso.datetime(),
        lastUsedAt: z.iso
          .datetime()
          .nullable()
          .describe('Updated once an hour: it may be up to an hour older than the latest use'),
      })
      .nullable(),
  })
  .meta({ id: 'Account' });

export const consoleToken = z.object({
  token: z.string().describe('Access token'),
  expiresAt: z.iso.datetime().describe('When the token expires'),
  client: clientSummary,
  member: memberSummary,
});

export const tokenPair = z.object({
  token: z.string().describe('Access token'),
  refreshToken: z.string().describe(`Can be used once, within ${REFRESH_TOKEN_DAYS} days`),
});
