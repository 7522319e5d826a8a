import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { CAMPAIGNS } from '../../web/src/texts/campaigns.ts';
import { SECOND_FACTOR as TEXT } from '../../web/src/texts/second-factor.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { PASSWORD } from '../http/accounts/accounts.ts';
import { codeOf, nextCodes, wrongCodeOf } from '../http/accounts/factors.ts';
import { makeClient } from './support/client.ts';
import { openConsole } from './support/console.ts';
import { faultsHere, faultsOf } from './support/faults.ts';
import {
  button,
  codeField,
  giveCode,
  givePassword,
  heading,
  isFocused,
  newProtected,
  REFUSED_CODE,
  tabTo,
} from './support/second-factor.ts';

const app = await opened(
  startApp({
    roles: ['api', 'worker', 'relay'],
    env: { LOGIN_RATE_PER_MINUTE: '1000', PUBLIC_RATE_PER_MINUTE: '10000' },
  }),
);

describe('a sign-in with a second factor', () => {
  it('asks for a code after the password, says when it is wrong, and goes on to where the person wanted to be', async () => {
    const client = await newProtected(app);
    const window = await openConsole(app, { allowed: [REFUSED_CODE] });
    await window.page.goto('/campanhas?de=fora');
    await givePassword(window, client);
    await heading(window, SIGN_IN.codeTitle);
    expect(await faultsHere(window, 'the code')).toEqual([]);
    const field = codeField(window);
    expect([await field.getAttribute('autocomplete'), await field.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
    await giveCode(window, wrongCodeOf(client.secret));
    await window.page.getByText(TEXT.wrongCode).waitFor();
    expect(await faultsHere(window, 'a wrong code')).toEqual([]);
    await giveCode(window, codeOf(client.secret));
    await heading(window, CAMPAIGNS.title);
    await window.visit('/conta/acesso');
    await window.page.getByText(TEXT.on).waitFor();
    await window.page.getByText(TEXT.left(10)).waitFor();
    await window.close();
  });

  it('takes a recovery code in place of the app', async () => {
    const client = await newProtected(app);
    const window = await openConsole(app, { allowed: [REFUSED_CODE] });
    await window.page.goto('/conta/acesso');
    await givePassword(window, client);
    await button(window, TEXT.useRecovery).click();
    const field = window.page.getByLabel(TEXT.recoveryCode, { exact: true });
    expect(await isFocused(field)).toBe(true);
    await field.fill(client.recoveryCodes[3]!.toLowerCase());
    await button(window, SIGN_IN.submit).click();
    await window.page.getByText(TEXT.left(9)).waitFor();
    await window.close();
  });

  it('begins again when its tries have ended, with the address still written', async () => {
    const client = await newProtected(app);
    const window = await openConsole(app, { allowed: [REFUSED_CODE] });
    await window.visit('/entrar');
    await givePassword(window, client);
    await codeField(window).waitFor();
    await app.query('update login_challenges set expires_at = now()');
    await giveCode(window, codeOf(client.secret));
    await window.page.getByText(SIGN_IN.codeEnded).waitFor();
    expect(await window.page.getByLabel(SIGN_IN.email).inputValue()).toBe(client.email);
    expect(await faultsHere(window, 'an ended challenge')).toEqual([]);
    await window.page.getByRole('textbox', { name: SIGN_IN.password }).fill(PASSWORD);
    await button(window, SIGN_IN.submit).click();
    await giveCode(window, codeOf(client.secret));
    await window.page.getByRole('navigation', { name: SHELL.navigation }).waitFor();
    await window.close();
  });

  it('goes on where the identity provider has sent the browser back, and the address forgets the challenge', async () => {
    const client = await newProtected(app);
    const window = await openConsole(app, { allowed: [REFUSED_CODE] });
    const begun = await window.context.request.post('/api/session', {
      data: { email: client.email, password: PASSWORD, remember: false },
      headers: { origin: app.url },
    });
    const { challenge } = (await begun.json()) as { challenge: string };
    await window.page.goto(`/entrar#desafio=${challenge}`);
    await codeField(window).waitFor();
    expect(window.page.url()).toBe(`${app.url}/entrar`);
    await giveCode(window, codeOf(client.secret));
    await window.page.getByRole('navigation', { name: SHELL.navigation }).waitFor();
    await window.close();
  });
});

describe('setting the app up', () => {
  it('is done by the keyboard alone, and the recovery codes are shown once', async () => {
    const client = await makeClient(app);
    const window = await openConsole(app, { client });
    const { page } = window;
    const { keyboard } = page;
    expect(await faultsOf(window, '/conta/acesso')).toEqual([]);
    await page.getByText(TEXT.off, { exact: true }).waitFor();
    await tabTo(window, button(window, TEXT.setUp));
    await keyboard.press('Enter');
    await heading(window, TEXT.scanTitle);
    await page.getByRole('img', { name: TEXT.qr }).waitFor();
    expect(await faultsHere(window, 'the secret')).toEqual([]);
    const secret = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '');
    window.allow('401 POST /api/onboarding/me/totp/confirm');
    await tabTo(window, codeField(window));
    await keyboard.type(wrongCodeOf(secret));
    await keyboard.press('Enter');
    await page.getByText(TEXT.wrongCode).waitFor();
    await tabTo(window, codeField(window));
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(codeOf(secret));
    await keyboard.press('Enter');
    await heading(window, TEXT.codesTitle);
    const codes = await page.getByRole('list', { name: TEXT.codesTitle }).getByRole('listitem').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    expect(await faultsHere(window, 'the recovery codes')).toEqual([]);
    const saved = page.waitForEvent('download');
    await tabTo(window, button(window, TEXT.download));
    await keyboard.press('Enter');
    expect((await saved).suggestedFilename()).toBe(TEXT.fileName);
    await tabTo(window, button(window, TEXT.kept));
    await keyboard.press('Enter');
    await page.getByText(TEXT.on).waitFor();
    expect(await page.getByText(codes[0]!).count()).toBe(0);

    await nextCodes(app);
    await tabTo(window, button(window, TEXT.remove));
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await faultsHere(window, 'removing')).toEqual([]);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: TEXT.password }).fill(PASSWORD);
    await giveCode(window, codeOf(secret));
    await page.getByText(TEXT.off, { exact: true }).waitFor();
    await window.close();
  });
});
