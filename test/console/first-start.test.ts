import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newEmail, PASSWORD } from '../http/accounts/accounts.ts';
import { type App, startApp } from '../support/app.ts';
import { openConsole } from './support/console.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

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
  await page.getByLabel('Nome da empresa').fill('Escola Aurora');
  await page.getByLabel('E-mail da empresa').fill(newEmail());
  await page.getByRole('textbox', { name: 'Senha' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bem-vindo ao Quita' }).waitFor();
  await page.getByRole('button', { name: 'Escola Aurora' }).click();
  await page.getByRole('button', { name: 'Sair', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Entrar' }).waitFor();

  expect(await hasAccounts()).toBe(true);
  expect(await firstScreen('/')).toBe('/entrar');
});
