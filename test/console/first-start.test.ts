import { expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { CAMPAIGNS } from '../../web/src/texts/campaigns.ts';
import { REHEARSAL } from '../../web/src/texts/rehearsal.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN, SIGN_UP } from '../../web/src/texts/sign-in.ts';
import { newEmail, PASSWORD } from '../http/accounts/accounts.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startApp());

const hasAccounts = async () => (await app.get<{ hasAccounts: boolean }>('/api/console')).body.hasAccounts;

/** The address that a person comes to who opens the console without a session. */
async function firstScreen(path: string): Promise<string> {
  const window = await openConsole(app);
  await window.visit(path);
  const { pathname } = new URL(window.page.url());
  await window.close();
  return pathname;
}

it('begins with the sign-up until there is an account, and with the sign-in from then on', async () => {
  expect(await hasAccounts()).toBe(false);
  expect(await firstScreen('/')).toBe('/criar-conta');
  expect(await firstScreen('/entrar')).toBe('/entrar');

  const window = await openConsole(app);
  await window.visit('/');
  const { page } = window;
  await page.getByLabel(SIGN_UP.name).fill('Escola Aurora');
  await page.getByLabel(SIGN_IN.email).fill(newEmail());
  await page.getByRole('textbox', { name: SIGN_IN.password }).fill(PASSWORD);
  await page.getByRole('button', { name: SIGN_IN.signUp }).click();
  // The example is loaded, and its rehearsal is what a new person sees first.
  await page.getByRole('heading', { level: 1, name: REHEARSAL.title }).waitFor();
  await page.getByText(CAMPAIGNS.exampleMade).waitFor();
  // A request that is under way while the session ends would be refused.
  await window.ready();
  await page.getByRole('button', { name: 'Escola Aurora' }).click();
  await page.getByRole('button', { name: SHELL.signOut, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: SIGN_IN.title }).waitFor();

  expect(await hasAccounts()).toBe(true);
  expect(await firstScreen('/')).toBe('/entrar');
  await page.goto('/criar-conta');
  await page.getByLabel(SIGN_UP.name).waitFor();
  expect(await page.getByLabel(SIGN_UP.example).count()).toBe(0);
});
