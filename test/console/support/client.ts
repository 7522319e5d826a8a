import type { App } from '../../../testing/app.ts';
import { confirmAddress, newEmail, PASSWORD, signUp } from '../../http/accounts/accounts.ts';

/** A company with a confirmed account, as its staff and its programs know it. */
export interface ConsoleClient {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** A bearer for calls that prepare what the console then shows. */
  readonly token: string;
}

export async function makeClient(app: App, { name = 'Escola Aurora' } = {}): Promise<ConsoleClient> {
  const { id, email, token } = await signUp(app, { name, email: newEmail() });
  await confirmAddress(app, id);
  return { id, name, email, password: PASSWORD, token };
}
