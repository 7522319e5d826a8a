import { randomUUID } from 'node:crypto';
import { type App, type AppOptions, startApp } from './app.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  readonly body: any;
  readonly headers?: Headers;
}

interface ImportOptions {
  readonly checkOnly?: boolean;
}

export interface FileOptions extends ImportOptions {
  readonly columns?: object | string;
  readonly sheet?: string;
  readonly changes?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A signed-up client; every call uses its token. */
export interface TestClient {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  readonly createCampaign: (name?: string) => Promise<string>;
  readonly importJson: (campaignId: string, debts: unknown, options?: ImportOptions) => Promise<Answer>;
  readonly importCsv: (campaignId: string, csv: string | Uint8Array, options?: ImportOptions) => Promise<Answer>;
}

export type CampaignsApp = App & { readonly newClient: () => Promise<TestClient> };

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** A deployment for one company takes no second sign-up. It keeps companies that were there before it became one. */
async function companyOfBefore({ query, post }: App, { name, email, password }: NewAccount) {
  const [client] = await query<{ id: string }>(
    `insert into clients (name, email, plan, status, trial_ends_at, confirm_email_by)
     values ($1, $2, 'GROWTH', 'ONBOARDING', now() + interval '14 days', now() + interval '14 days') returning id`,
    [name, email],
  );
  await query(
    `insert into members (client_id, email, name, role, password_hash)
     select $1, $2, $3, 'owner', password_hash from members where password_hash is not null limit 1`,
    [client!.id, email, name],
  );
  const { body } = await post<{ token: string }>('/api/auth/login', { email, password });
  return { id: client!.id, token: body.token };
}

async function signUp(app: App): Promise<TestClient> {
  const domain = `c${randomUUID().slice(0, 8)}.com.br`;
  const account = { name: 'Escola Aurora', email: `financeiro@${domain}`, password: 'Segredo123' };
  const signedUp = await app.post<{ id: string; token: string }>('/api/onboarding/signup', account);
  const { id, token } = signedUp.status === 403 ? await companyOfBefore(app, account) : signedUp.body;
  const call: TestClient['call'] = (method, path, body) => app.call(method, path, { body, bearer: token });
  const flag = (checkOnly: boolean | undefined) => (checkOnly ? '?checkOnly=true' : '');
  return {
    id,
    email: account.email,
    password: account.password,
    token,
    call,
    createCampaign: async (name = 'Mensalidades') => (await call('POST', '/api/campaigns', { name })).body.id,
    importJson: (campaignId, debts, { checkOnly } = {}) =>
      call('POST', `/api/import/json/${campaignId}${flag(checkOnly)}`, { clientId: id, debts }),
    importCsv: async (campaignId, csv, { checkOnly } = {}) => {
      const form = new FormData();
      form.set('file', new Blob([typeof csv === 'string' ? csv : Buffer.from(csv)], { type: 'text/csv' }), 'debts.csv');
      const response = await fetch(`${app.url}/api/import/csv/${campaignId}${flag(checkOnly)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

export async function startCampaignsApp(options: AppOptions = {}): Promise<CampaignsApp> {
  const app = await startApp(options);
  return { ...app, newClient: () => signUp(app) };
}

/** Sends a file of any kind. */
export async function sendFile(
  { url }: Pick<App, 'url'>,
  { token }: Pick<TestClient, 'token'>,
  campaignId: string,
  file: string | Uint8Array,
  { checkOnly, columns, sheet, changes, headers }: FileOptions = {},
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(file)]), 'file');
  if (columns !== undefined) form.set('columns', typeof columns === 'string' ? columns : JSON.stringify(columns));
  if (sheet !== undefined) form.set('sheet', sheet);
  if (changes !== undefined) form.set('changes', typeof changes === 'string' ? changes : JSON.stringify(changes));
  const response = await fetch(`${url}/api/import/file/${campaignId}${checkOnly ? '?checkOnly=true' : ''}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: form,
  });
  const text = Buffer.from(await response.arrayBuffer()).toString();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}
