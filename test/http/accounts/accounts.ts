import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Answer, App } from '../../support/app.ts';

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

/** Status and code, and for invalid input the place and code of each problem. */
export const refusal = ({ status, body }: Answer<unknown>): string => {
  const { code, errors } = body as Problem;
  const places = errors?.map((error) => ` ${error.pointer}:${error.code}`).join('') ?? '';
  return `${status} ${code}${places}`;
};

export const setStatus = (app: App, id: string, status: string) =>
  app.query('update clients set status = $2 where id = $1', [id, status]);
