/** What the service answered: the body as JSON, or null when there is none. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Makes a repeated call safe. */
  readonly idempotencyKey?: string;
}

export type CallApi = (call: ApiCall) => Promise<ApiAnswer>;

/** Returns the bearer of the next call, or a new one after the service has refused the bearer `refused`. */
export type Bearer = (refused?: string) => Promise<string>;

const TIMEOUT_MS = 60_000;

/** Calls the service at `url`. The token of a login expires, so a refused one is renewed once. */
export function createApi({ url, bearer }: { readonly url: string; readonly bearer: Bearer }): CallApi {
  const send = async (call: ApiCall, token: string): Promise<ApiAnswer> => {
    const { method, path, query = {}, body, idempotencyKey } = call;
    const address = new URL(path, url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const answer = await fetch(address, {
      method,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  return async (call) => {
    const token = await bearer();
    const answer = await send(call, token);
    if (answer.status !== 401) return answer;
    const renewed = await bearer(token);
    return renewed === token ? answer : send(call, renewed);
  };
}

/** A bearer that nothing renews: an API key, or what the caller of this server sent. */
export const fixedBearer =
  (token: string): Bearer =>
  () =>
    Promise.resolve(token);

export interface Login {
  readonly email: string;
  readonly password: string;
}

/**
 * Logs in as a person, when a call first needs it. The service takes messages to debtors from people alone, so an API
 * key does not suffice for them.
 */
export function loginBearer(url: string, login: Login): Bearer {
  let session: Promise<string> | undefined;
  const open = async (): Promise<string> => {
    const answer = await fetch(new URL('/api/auth/login', url), {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await answer.json()) as { readonly token?: string; readonly detail?: string };
    if (!answer.ok || body.token === undefined)
      throw new Error(`The login was refused: ${body.detail ?? answer.status}`);
    return body.token;
  };
  return async (refused) => {
    if (session !== undefined && refused !== undefined && (await session.catch(() => refused)) === refused) {
      session = undefined;
    }
    session ??= open();
    session.catch(() => {
      session = undefined;
    });
    return session;
  };
}
