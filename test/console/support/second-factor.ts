import type { Locator } from 'playwright-core';
import type { App } from '../../../testing/app.ts';
import { SECOND_FACTOR as TEXT } from '../../../web/src/texts/second-factor.ts';
import { SIGN_IN } from '../../../web/src/texts/sign-in.ts';
import { logIn, PASSWORD } from '../../http/accounts/accounts.ts';
import { codeOf, type Factor, nextCodes, setUpFactor } from '../../http/accounts/factors.ts';
import { type ConsoleClient, makeClient } from './client.ts';
import { type Console, openConsole } from './console.ts';

/** A sign-in that still needs a code, and a wrong code. */
export const REFUSED_CODE = '401 POST /api/session';

export const button = ({ page }: Console, name: string) => page.getByRole('button', { name, exact: true });
export const codeField = ({ page }: Console) => page.getByLabel(TEXT.code);
export const heading = ({ page }: Console, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === node.ownerDocument.activeElement);

/** Goes on to an element by the tabulator alone. */
export async function tabTo(window: Console, element: Locator): Promise<void> {
  await element.waitFor();
  for (let pressed = 0; pressed < 80; pressed += 1) {
    if (await isFocused(element)) return;
    await window.page.keyboard.press('Tab');
  }
  throw new Error('The element is not reached by the tabulator');
}

export async function newProtected(app: App): Promise<ConsoleClient & Factor> {
  const client = await makeClient(app);
  return { ...client, ...(await setUpFactor(app, await logIn(app, client.email))) };
}

/** Writes e-mail and password where the page asks for them. */
export async function givePassword(window: Console, { email }: Pick<ConsoleClient, 'email'>): Promise<void> {
  await window.page.getByLabel(SIGN_IN.email).fill(email);
  await window.page.getByRole('textbox', { name: SIGN_IN.password }).fill(PASSWORD);
  await button(window, SIGN_IN.submit).click();
}

export async function giveCode(window: Console, code: string): Promise<void> {
  await codeField(window).fill(code);
  await window.page.locator('form:has([name=code]) button[type=submit]').click();
}

/** Signs in with a code, and lands on the screen of the address. */
export async function openProtected(
  app: App,
  client: ConsoleClient & Factor,
  path: string,
  title: string,
): Promise<Console> {
  const window = await openConsole(app, { allowed: [REFUSED_CODE] });
  await window.page.goto(path);
  await givePassword(window, client);
  await nextCodes(app);
  await giveCode(window, codeOf(client.secret));
  await heading(window, title);
  await window.ready();
  await nextCodes(app);
  return window;
}
