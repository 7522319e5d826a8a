import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Answer, App } from '../../../testing/app.ts';
import { until } from '../../../testing/poll.ts';

export const PASSWORD = 'Cobranca2026';

export interface Problem {
  readonly code: string;
  readonly status: number;
  readonly retryAfterSeconds?: number;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
}

export interface SignedUp {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly plan: string;
  readonly status: string;
  readonly trialEndsAt: string;
  readonly token: string;
}

export interface LoggedIn {
  readonly token: string;
  readonly refreshToken: string;
  readonly client: Omit<SignedUp, 'token'>;
  readonly member: { readonly id: string; readonly name: string; readonly email: string; readonly role: string };
}

export const newEmail = (): string => `financeiro@${randomUUID()}.com.br`;

export async function signUp(app: App, given: Readonly<Record<string, unknown>> = {}): Promise<SignedUp> {
  const body = { name: 'Escola Aurora', email: newEmail(), password: PASSWORD, ...given };
  const answer = await app.post<SignedUp>('/api/onboarding/signup', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

export const tryLogIn = (app: App, email: string, password = PASSWORD) =>
  app.post<LoggedIn & Problem>('/api/auth/login', { email, password });

export async function logIn(app: App, email: string, password = PASSWORD): Promise<LoggedIn> {
  const answer = await tryLogIn(app, email, password);
  expect(answer.status).toBe(200);
  return answer.body;
}

export const me = (app: App, bearer?: string) => app.get<Problem & SignedUp>('/api/onboarding/me', bearer);

/** Returns status and code, and for invalid input the place and code of each problem. */
export const refusal = ({ status, body }: Answer<unknown>): string => {
  const { code, errors } = body as Problem;
  const places = errors?.map((error) => ` ${error.pointer}:${error.code}`).join('') ?? '';
  return `${status} ${code}${places}`;
};

export const setStatus = (app: App, id: string, status: string) =>
  app.query('update clients set status = $2 where id = $1', [id, status]);

/** Confirms the address as the link of the mail does. */
export const confirmAddress = (app: App, id: string) =>
  app.query('update clients set email_confirmed_at = now(), confirm_email_by = null where id = $1', [id]);

export interface AccountMail {
  readonly text: string;
  readonly purpose: string;
  readonly clientId: string;
}

/** Returns the mails to an address, oldest first; needs an app with worker and relay. */
export const mailsTo = (app: App, email: string, purpose?: string) =>
  app.query<AccountMail>(
    `select text, purpose, client_id as "clientId" from sandbox_outbox
     where recipient = $1 and ($2::text is null or purpose = $2) order by seq`,
    [email, purpose ?? null],
  );

/** Returns the requested mails, with or without a running worker. */
export const mailsAsked = async (app: App, clientId: string, kind: string): Promise<number> =>
  (
    await app.query(
      `select from outbox where workflow = 'send-account-mail' and payload ->> 'clientId' = $1 and payload ->> 'kind' = $2`,
      [clientId, kind],
    )
  ).length;

/** Returns the token of the nth mail of a kind. */
export async function mailedToken(app: App, email: string, purpose: string, nth = 1): Promise<string> {
  const mails = await until(
    `${purpose} ${nth}`,
    async () => {
      const found = await mailsTo(app, email, purpose);
      return found.length >= nth && found;
    },
    { timeoutMs: 20_000 },
  );
  return /https?:\/\/\S+\/(?:reset-password|confirm-email|change-email|accept-invitation)#([\w-]{43})\s/.exec(
    mails[nth - 1]!.text,
  )![1]!;
}

/** Makes a member of a role without the mail, as an accepted invitation does; its password is that of the first owner. */
export async function addMember(app: App, clientId: string, role: string, password = PASSWORD): Promise<LoggedIn> {
  const email = newEmail();
  await app.query(
    `insert into members (client_id, email, name, role, password_hash)
     select $1, $2, $3, $4, password_hash from members where client_id = $1 and role = 'owner' and left_at is null limit 1`,
    [clientId, email, `Pessoa ${role}`, role],
  );
  return logIn(app, email, password);
}

export const newKey = async (app: App, bearer: string): Promise<string> => {
  const answer = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, bearer);
  expect(answer.status).toBe(200);
  return answer.body.apiKey;
};
