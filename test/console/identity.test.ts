import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { takePort } from '../../src/platform/runtime/free-port.ts';
import { startApp } from '../../testing/app.ts';
import { AUDIENCE, newProviderKey, startIdentityProvider } from '../../testing/identity-provider.ts';
import { opened } from '../../testing/opened.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { newEmail } from '../http/accounts/accounts.ts';
import { makeClient } from './support/client.ts';
import { type Console, openConsole } from './support/console.ts';

let window: Console;
const port = await takePort({ name: 'the console', preferred: 0, log: () => undefined });
/** The provider is at 127.0.0.1, so for the browser the console at `localhost` is another site, as it is in operation. */
const site: string = `http://localhost:${port}`;
const provider = await opened(
  startIdentityProvider({
    key: await newProviderKey('first'),
    redirectUri: `${site}/api/session/identity/callback`,
  }),
);
const app = await opened(
  startApp({
    env: {
      PORT: String(port),
      PUBLIC_URL: site,
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_CLIENT_SECRET: 'front',
    },
  }),
);
afterEach(() => window?.close());

const heading = (name: string) => window.page.getByRole('heading', { level: 1, name }).waitFor();
const button = () => window.page.getByRole('button', { name: SIGN_IN.identity });

/** The problems that the harness noted, without the pages of the provider, which the person does visit. */
const problems = () =>
  window.takeProblems().filter((one) => !one.startsWith(`request to another host: ${provider.issuer}`));

describe('the sign-in at the identity provider', () => {
  it('leads from the button to the provider and back into the console, and the session outlives the page', async () => {
    provider.nextPerson({ sub: randomUUID(), email: newEmail(), email_verified: true, name: 'Padaria Sol' });
    window = await openConsole({ url: site });
    await window.visit('/entrar');
    await button().click();
    await heading('Bem-vindo ao Quita');
    await window.page.getByRole('button', { name: 'Padaria Sol' }).waitFor();
    expect(window.page.url()).toBe(`${site}/`);
    await window.visit('/campanhas');
    await heading('Campanhas');
    expect(problems()).toEqual([]);
  });

  it('can be begun again after a sign-out in the same page', async () => {
    provider.nextPerson({ sub: randomUUID(), email: newEmail(), email_verified: true, name: 'Padaria Lua' });
    // What was being asked at the sign-out is refused.
    window = await openConsole({ url: site }, { allowed: [/^401 GET /] });
    await window.visit('/entrar');
    await button().click();
    await window.page.getByRole('button', { name: 'Padaria Lua' }).click();
    await window.page.getByRole('button', { name: SHELL.signOut, exact: true }).click();
    await heading('Entrar');
    await button().waitFor();
    expect(problems()).toEqual([]);
  });

  it('that the provider refuses comes back as a sentence, beside the form and the button', async () => {
    provider.nextPerson(null);
    window = await openConsole({ url: site }, { allowed: ['401 POST /api/session/token'] });
    await window.visit('/entrar');
    await button().click();
    await window.page.getByText('O provedor de identidade recusou a entrada.').waitFor();
    await button().waitFor();
    await window.page.getByLabel(SIGN_IN.email).waitFor();
    expect(problems()).toEqual([]);
  });

  it('of an address with a password says how to go on', async () => {
    const { email } = await makeClient(app);
    provider.nextPerson({ sub: randomUUID(), email, email_verified: true, name: 'Escola Aurora' });
    window = await openConsole({ url: site }, { allowed: ['401 POST /api/session/token'] });
    await window.visit('/entrar');
    await button().click();
    await window.page.getByText('Este e-mail já tem uma conta com senha.').waitFor();
    expect(problems()).toEqual([]);
  });
});
