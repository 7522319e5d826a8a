import { describe, expect, it } from '@jest/globals';
import { hashToken } from '../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../testing/app.ts';
import { startBrowser } from '../../testing/browser.ts';
import { opened } from '../../testing/opened.ts';
import { me, newEmail, signUp, tryLogIn } from '../http/accounts/accounts.ts';

const app = await opened(startApp());
const browser = await opened(startBrowser());

describe('the page that confirms an address, in a browser', () => {
  it('confirms only by its button, once, and removes the token from the address bar', async () => {
    const { id, token: bearer } = await signUp(app);
    const confirmed = async () =>
      ((await me(app, bearer)).body as unknown as { emailConfirmed: boolean }).emailConfirmed;
    await app.query(
      `insert into email_confirmations (client_id, token_hash, expires_at) values ($1, $2, now() + interval '5 minutes')`,
      [id, hashToken('the-token')],
    );
    const page = await browser.newPage();
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(error.message));
    const button = page.getByRole('button', { name: 'Confirmar e-mail' });

    await page.goto(`${app.url}/confirm-email#the-token`);
    await page.waitForURL(`${app.url}/confirm-email`);
    await button.waitFor();
    // A program that opens every link of a mail to check it confirms nothing.
    expect(await confirmed()).toBe(false);
    await button.click();
    await page.getByText('E-mail confirmado.').waitFor();
    expect(await button.isVisible()).toBe(false);
    expect(await confirmed()).toBe(true);

    // In the same tab only the fragment changes, and the page is still loaded.
    await page.goto(`${app.url}/confirm-email#the-token`);
    await page.waitForURL(`${app.url}/confirm-email`);
    await button.click();
    await page.getByText('Este link não vale mais').waitFor();
    await page.reload();
    await page.getByText('Este endereço está incompleto').waitFor();
    expect(await button.isVisible()).toBe(false);
    expect(broken).toEqual([]);
  });
});

describe('the page that confirms another address, in a browser', () => {
  it('says which confirmation is missing, and then that the address has changed', async () => {
    const { id, email } = await signUp(app);
    const next = newEmail();
    await app.query(
      `insert into email_changes (client_id, member_id, of_company, present_email, new_email, present_token_hash, new_token_hash, expires_at)
       select client_id, id, false, email, $2, $3, $4, now() + interval '5 minutes' from members where client_id = $1`,
      [id, next, hashToken('present-token'), hashToken('new-token')],
    );
    const page = await browser.newPage();
    const button = page.getByRole('button', { name: 'Confirmar a troca' });
    await page.goto(`${app.url}/change-email#new-token`);
    await page.waitForURL(`${app.url}/change-email`);
    await button.click();
    await page.getByText('Falta confirmar no outro').waitFor();
    expect((await tryLogIn(app, email)).status).toBe(200);
    await page.goto(`${app.url}/change-email#present-token`);
    await page.waitForURL(`${app.url}/change-email`);
    await button.click();
    await page.getByText('Troca feita.').waitFor();
    expect((await tryLogIn(app, next)).status).toBe(200);
  });
});
