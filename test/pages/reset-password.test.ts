import { describe, expect, it } from '@jest/globals';
import { hashToken } from '../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../testing/app.ts';
import { startBrowser } from '../../testing/browser.ts';
import { opened } from '../../testing/opened.ts';
import { logIn, signUp } from '../http/accounts/accounts.ts';

const app = await opened(startApp());
const browser = await opened(startBrowser());

describe('the page of a password reset, in a browser', () => {
  it('sets the new password once, and removes the token from the address bar', async () => {
    const { id, email } = await signUp(app);
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, $2, now() + interval '5 minutes' from members where client_id = $1`,
      [id, hashToken('the-token')],
    );
    const page = await browser.newPage();
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(error.message));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const open = () => page.goto(`${app.url}/reset-password#the-token`);
    const send = async (password: string, repeated: string) => {
      await page.getByLabel('Nova senha', { exact: true }).fill(password);
      await page.getByLabel('Repita a nova senha').fill(repeated);
      await page.getByRole('button', { name: 'Trocar a senha' }).click();
    };

    await open();
    await page.waitForURL(`${app.url}/reset-password`);
    await send('NovaSenha2027', 'Outra2027');
    await page.getByText('As duas senhas não são iguais.').waitFor();
    await send('fraca', 'fraca');
    await page.getByText('A senha precisa de pelo menos 8 caracteres').waitFor();
    await send('NovaSenha2027', 'NovaSenha2027');
    await page.getByText('Senha trocada.').waitFor();
    await logIn(app, email, 'NovaSenha2027');

    await open();
    await send('OutraSenha2028', 'OutraSenha2028');
    await page.getByText('Este endereço não vale mais').waitFor();
    await page.reload();
    await page.getByText('Este endereço está incompleto').waitFor();
    expect(broken).toEqual([]);
    expect(asked.filter((url) => new URL(url).search !== '')).toEqual([]);
  });
});
