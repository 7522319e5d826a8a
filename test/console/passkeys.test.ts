import { afterEach, describe, expect, it } from '@jest/globals';
import { takePort } from '../../src/platform/runtime/free-port.ts';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { PASSKEYS } from '../../web/src/texts/passkeys.ts';
import { SECOND_FACTOR } from '../../web/src/texts/second-factor.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { focused, pressTabUntil } from './support/accessibility.ts';
import { makeClient } from './support/client.ts';
import { type Console, openConsole } from './support/console.ts';
import { faultsOf } from './support/faults.ts';

/** Passkeys belong to the host of `PUBLIC_URL`, and no browser makes one for an IP address. */
const port = await takePort({ name: 'the console', preferred: 0, log: () => undefined });
const site = { url: `http://localhost:${port}` };
const app = await opened(startApp({ env: { PORT: String(port), PUBLIC_URL: site.url } }));

let window: Console;
afterEach(() => window?.close());

/** A device in the browser that recognises its person by itself. */
async function addDevice({ context, page }: Console) {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the person touches the device, and is the right one. */
    recognise: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

const button = (name: string) => window.page.getByRole('button', { name, exact: true });

/** Adds a passkey with the keyboard alone, and returns the recovery codes that are shown. */
async function addByKeyboard(name: string): Promise<string[]> {
  const { page } = window;
  await pressTabUntil(page, PASSKEYS.add, { role: 'button' });
  await page.keyboard.press('Enter');
  expect(await focused(page)).toMatchObject({ role: 'textbox', name: expect.stringContaining(PASSKEYS.name) });
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: SECOND_FACTOR.codesTitle });
  await button(SECOND_FACTOR.download).waitFor();
  const shown = await codes.getByRole('listitem').allTextContents();
  await pressTabUntil(page, SECOND_FACTOR.kept, { role: 'button' });
  await page.keyboard.press('Enter');
  await codes.waitFor({ state: 'detached' });
  return shown;
}

describe('passkeys in the console', () => {
  it('are added with the keyboard alone, and the recovery codes are shown once', async () => {
    const client = await makeClient(app);
    window = await openConsole(site, { client });
    await addDevice(window);
    await window.visit('/conta/acesso');
    await window.page.getByText(PASSKEYS.none).waitFor();
    expect(await addByKeyboard('Notebook da recepção')).toHaveLength(10);
    await window.page.getByRole('row').filter({ hasText: 'Notebook da recepção' }).waitFor();
    expect(await faultsOf(window, '/conta/acesso')).toEqual([]);
  });

  it('sign in, finish a sign-in by password, and step up, with the keyboard alone', async () => {
    const client = await makeClient(app);
    window = await openConsole(site, {
      client,
      allowed: ['401 POST /api/session', /^401 DELETE \/api\/onboarding\/me\/passkeys\//, /^401 GET /],
    });
    const { page } = window;
    await addDevice(window);
    await window.visit('/conta/acesso');
    await addByKeyboard('Notebook');
    const signOut = async (): Promise<void> => {
      await page.getByRole('button', { name: client.name }).click();
      await page.getByRole('button', { name: SHELL.signOut, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: SIGN_IN.title }).waitFor();
    };
    const isIn = () => page.getByRole('button', { name: client.name }).waitFor();

    await signOut();
    await pressTabUntil(page, PASSKEYS.signIn, { role: 'button' });
    await page.keyboard.press('Enter');
    await isIn();
    await signOut();
    await page.getByLabel(SIGN_IN.email).fill(client.email);
    await page.getByRole('textbox', { name: SIGN_IN.password }).fill(client.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: SIGN_IN.codeTitle }).waitFor();
    await pressTabUntil(page, PASSKEYS.use, { role: 'button' });
    await page.keyboard.press('Enter');
    await isIn();

    await window.visit('/conta/acesso');
    await pressTabUntil(page, PASSKEYS.removeNamed('Notebook'), { role: 'button' });
    await page.keyboard.press('Enter');
    await pressTabUntil(page, PASSKEYS.remove, { role: 'button' });
    await page.keyboard.press('Enter');
    const proof = page.getByRole('dialog', { name: SECOND_FACTOR.stepUp });
    await proof.getByRole('button', { name: PASSKEYS.use }).waitFor();
    await pressTabUntil(page, PASSKEYS.use, { role: 'button' });
    await page.keyboard.press('Enter');
    await page.getByText(PASSKEYS.none).waitFor();
    expect(await app.query('select from passkeys where client_id = $1', [client.id])).toEqual([]);
  });

  it('open the console again to a member whose company asks for a second factor', async () => {
    const client = await makeClient(app);
    await app.query('update clients set require_second_factor = true where id = $1', [client.id]);
    window = await openConsole(site, { client, allowed: [/^403 /] });
    const { page } = window;
    await addDevice(window);
    await window.visit('/campanhas');
    await page.getByRole('heading', { level: 1, name: SECOND_FACTOR.missingTitle }).waitFor();
    expect(await addByKeyboard('Notebook')).toHaveLength(10);
    await page.getByRole('heading', { level: 1, name: 'Campanhas' }).waitFor();
  });

  it('say in words why a device did nothing', async () => {
    const client = await makeClient(app);
    window = await openConsole(site, { client });
    const device = await addDevice(window);
    await device.recognise(false);
    await window.visit('/conta/acesso');
    await button(PASSKEYS.add).click();
    const dialog = window.page.getByRole('dialog', { name: PASSKEYS.add });
    await dialog.getByLabel(PASSKEYS.name).fill('Celular');
    await dialog.getByRole('button', { name: PASSKEYS.add }).click();
    await dialog.getByText(PASSKEYS.reason.cancelled).waitFor();
    await device.recognise(true);
    await dialog.getByRole('button', { name: PASSKEYS.add }).click();
    await window.page.getByRole('list', { name: SECOND_FACTOR.codesTitle }).waitFor();
  });

  it('are not offered at an address that can have none', async () => {
    const client = await makeClient(app);
    window = await openConsole(app, { client });
    await window.visit('/conta/acesso');
    await window.page.getByText(PASSKEYS.unsupported).waitFor();
    expect(await button(PASSKEYS.add).count()).toBe(0);
  });
});
