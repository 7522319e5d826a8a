import { randomUUID } from 'node:crypto';
import { inviteOperator } from '../../../src/modules/operators/use-cases/operators-of-deployment.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import type { App } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { PASSWORD, type Problem } from '../accounts/accounts.ts';
import { codeOf } from '../accounts/factors.ts';

export const newAddress = () => `operador@${randomUUID()}.com.br`;
export const cookieOf = ({ headers }: { readonly headers: Headers }) => headers.getSetCookie()[0]!.split(';')[0]!;

type Body = Problem & Record<string, unknown>;

/** What operators of the app do, and the database as the command `quita operators` opens it. */
export async function openOperators(app: App) {
  const db = await opened(openDatabase({ url: app.database.url, role: 'quita_operator' }));
  async function invite(email = newAddress()) {
    const { token } = await inviteOperator({ db })(email);
    return { email, token };
  }
  const open = (token: string) =>
    app.post<Problem & { secret: string; email: string }>('/api/operator/invitation', { token });
  const accept = (token: string, code: string) =>
    app.post<Problem>('/api/operator/invitation/accept', { token, password: PASSWORD, code });
  const enter = (email: string, code: string, given: { password?: string; headers?: Record<string, string> } = {}) => {
    const { password = PASSWORD, headers = {} } = given;
    return app.call<Problem>('POST', '/api/operator/session', { body: { email, password, code }, headers });
  };
  /** Time passes for the operator: codes of the present step can be used again. */
  const nextCodes = (email: string) => app.query('update operators set last_step = 0 where email = $1', [email]);

  /** An operator who may enter. */
  async function join() {
    const { email, token } = await invite();
    const { secret } = (await open(token)).body;
    const { status } = await accept(token, codeOf(secret));
    if (status !== 204) throw new Error(`The acceptance was answered with ${status}`);
    await nextCodes(email);
    return { email, secret };
  }

  async function newOperator() {
    const { email, secret } = await join();
    const entered = await enter(email, codeOf(secret));
    if (entered.status !== 200) throw new Error(`The login was answered with ${entered.status}`);
    return { email, secret, cookie: cookieOf(entered) };
  }

  const as = (cookie: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.call<Body>(method, `/api/operator${path}`, { body, headers: { cookie, ...headers } });

  return { db, invite, open, accept, enter, nextCodes, join, newOperator, as };
}
