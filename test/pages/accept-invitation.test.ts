import { describe, expect, it } from '@jest/globals';
import { hashToken } from '../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../testing/app.ts';
import { startBrowser } from '../../testing/browser.ts';
import { opened } from '../../testing/opened.ts';
import { violations } from '../../testing/pages.ts';
import { logIn, newEmail, signUp } from '../http/accounts/accounts.ts';

const app = await opened(startApp());
const browser = await opened(startBrowser());
const PASSWORD = 'MinhaSenha2027';

async function invited(token: string): Promise<string> {
  const [{ id }, email] = [await signUp(app), newEmail()];
  await app.query(
    `insert into invitations (client_id, email, name, role, token_hash, expires_at)
     values ($1, $2, 'Bia', 'agent', $3, now() + interval '5 minutes')`,
    [id, email, hashToken(token)],
  );
  return email;
}

describe('the page of an invitation, in a browser', () => {
  it('takes the code from the address, which it clears, and makes a member once', async () => {
    const email = await invited('the-token');
    const page = await browser.newPage();
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(error.message));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const open = () => page.goto(`${app.url}/accept-invitation#the-token`);
    const send = async (name: string, password: string) => {
      await page.getByLabel('Seu nome').fill(name);
      await page.getByLabel('Senha', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Aceitar o convite' }).click();
    };

    await open();
    await page.waitForURL(`${app.url}/accept-invitation`);
    expect(await page.getByLabel('Código do convite').isVisible()).toBe(false);
    expect(await violations(page)).toEqual([]);
    await send('Bia Souza', 'fraca');
    await page.getByText('A senha precisa de pelo menos 8 caracteres').waitFor();
    await send('Bia Souza', PASSWORD);
    await page.getByText('você já faz parte da equipe').waitFor();
    expect((await logIn(app, email, PASSWORD)).member).toMatchObject({ name: 'Bia Souza', role: 'agent' });

    await open();
    await send('Outra', PASSWORD);
    await page.getByText('Este convite não vale mais').waitFor();
    expect(broken).toEqual([]);
    expect(asked.filter((url) => new URL(url).search !== '')).toEqual([]);
  });

  it('works without a script, with the code of the mail', async () => {
    const email = await invited('another-token');
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${app.url}/accept-invitation#another-token`);
    await page.getByLabel('Código do convite').fill('another-token');
    await page.getByLabel('Seu nome').fill('Bia Souza');
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Aceitar o convite' }).click();
    await page.getByText('você já faz parte da equipe').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect((await logIn(app, email, PASSWORD)).member.name).toBe('Bia Souza');
  });
});
