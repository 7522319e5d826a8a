import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { CAMPAIGNS } from '../../web/src/texts/campaigns.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { PROBLEM_TEXT } from '../../web/src/texts/problem-texts.ts';
import { SECOND_FACTOR as TEXT } from '../../web/src/texts/second-factor.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { TEAM } from '../../web/src/texts/team.ts';
import { addMember, newEmail, PASSWORD } from '../http/accounts/accounts.ts';
import { codeOf, wrongCodeOf } from '../http/accounts/factors.ts';
import { makeClient } from './support/client.ts';
import { openConsole } from './support/console.ts';
import { faultsHere, faultsOf } from './support/faults.ts';
import {
  button,
  codeField,
  giveCode,
  heading,
  isFocused,
  newProtected,
  openProtected,
} from './support/second-factor.ts';

const app = await opened(
  startApp({
    roles: ['api', 'worker', 'relay'],
    env: { LOGIN_RATE_PER_MINUTE: '1000', PUBLIC_RATE_PER_MINUTE: '10000' },
  }),
);

describe('a step-up', () => {
  it('is asked over the screen; cancelled it loses nothing, and given it does what was asked for', async () => {
    const client = await newProtected(app);
    const window = await openProtected(app, client, '/conta/equipe', ACCOUNT.title);
    window.allow('401 POST /api/members', '401 POST /api/auth/step-up', '401 POST /api/onboarding/me/api-key');
    const { page } = window;
    const email = newEmail();
    await button(window, TEAM.invite).click();
    const invitation = page.getByRole('dialog', { name: TEAM.invite });
    await invitation.getByLabel(TEAM.email).fill(email);
    await invitation.getByLabel(TEAM.name).fill('Bia');
    await invitation.getByRole('button', { name: TEAM.invite }).click();
    const question = page.getByRole('dialog', { name: TEXT.stepUp });
    await question.waitFor();
    expect(await isFocused(codeField(window))).toBe(true);
    expect(await faultsHere(window, 'the step-up', { isBusy: true })).toEqual([]);
    await question.getByRole('button', { name: COMMON.cancel }).click();
    await invitation.getByText(PROBLEM_TEXT.step_up_required).waitFor();
    expect(await invitation.getByLabel(TEAM.email).inputValue()).toBe(email);

    await invitation.getByRole('button', { name: TEAM.invite }).click();
    await giveCode(window, wrongCodeOf(client.secret));
    await question.getByText(TEXT.wrongCode).waitFor();
    await giveCode(window, codeOf(client.secret));
    await question.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: email }).waitFor();

    // It is good for some minutes, so the next act asks for nothing.
    await window.visit('/conta/integracoes');
    await button(window, ACCOUNT.createKey).click();
    await page.getByRole('dialog', { name: ACCOUNT.newKey }).waitFor();
    await window.close();
  });

  it('is asked once for all that waits for it', async () => {
    const client = await newProtected(app);
    const window = await openProtected(app, client, '/conta/acesso', ACCOUNT.title);
    const { page } = window;
    let proofs = 0;
    const asked = new Set<string>();
    // No screen makes two such calls at once today, so two that it does make are refused by the test.
    await page.route(/\/api\/onboarding\/me\/(?:factors|sessions)/, async (route) => {
      asked.add(new URL(route.request().url()).pathname);
      if (proofs > 0) return route.continue();
      await route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 401, code: 'step_up_required', title: 'Refused', requestId: 'none' }),
      });
    });
    page.on('response', (response) => {
      if (response.url().endsWith('/api/auth/step-up') && response.status() === 204) proofs += 1;
    });
    window.allow(/^401 GET \/api\/onboarding\/me\/(?:factors|sessions)$/);
    await page.reload();
    const question = page.getByRole('dialog', { name: TEXT.stepUp });
    await question.waitFor();
    expect(await question.count()).toBe(1);
    await giveCode(window, codeOf(client.secret));
    await page.getByText(TEXT.on).waitFor();
    await page.getByRole('table', { name: ACCOUNT.sessions }).waitFor();
    expect([await question.count(), proofs, asked.size]).toEqual([0, 1, 2]);
    await window.close();
  });
});

describe('a company that asks all members for a second factor', () => {
  it('shows a member without one how to set it up, and nothing else but the way out', async () => {
    const client = await newProtected(app);
    const { member: agent } = await addMember(app, client.id, 'agent');
    const owner = await openProtected(app, client, '/conta/equipe', ACCOUNT.title);
    owner.allow('401 PATCH /api/onboarding/me');
    const row = owner.page.getByRole('row').filter({ hasText: agent.email });
    await row.getByText(TEAM.hasFactor(false), { exact: true }).waitFor();
    expect(await faultsHere(owner, 'the rule')).toEqual([]);
    const member = await openConsole(app, { client: { email: agent.email, password: PASSWORD }, allowed: [/^403 /] });
    await member.visit('/campanhas');

    await button(owner, TEXT.ask).click();
    await owner.page.getByRole('dialog', { name: TEXT.ask }).getByRole('button', { name: TEXT.ask }).click();
    await giveCode(owner, codeOf(client.secret));
    await owner.page.getByText(TEXT.ruleOn).waitFor();

    await member.page.getByRole('link', { name: SHELL.debts, exact: true }).click();
    await heading(member, TEXT.missingTitle);
    expect(await faultsHere(member, 'the factor is missing')).toEqual([]);
    expect(await member.page.getByRole('navigation').count()).toBe(0);
    await member.page.goto('/campanhas');
    await heading(member, TEXT.missingTitle);
    expect(await member.page.getByRole('button').allInnerTexts()).toEqual([TEXT.setUp, SHELL.signOut]);
    await button(member, TEXT.setUp).click();
    const secret = ((await member.page.locator('form code').textContent()) ?? '').replaceAll(' ', '');
    expect(await faultsHere(member, 'setting the missing one up')).toEqual([]);
    await giveCode(member, codeOf(secret));
    await button(member, TEXT.kept).click();
    await heading(member, CAMPAIGNS.title);
    await member.close();

    await owner.visit('/conta/equipe');
    await row.getByText(TEAM.hasFactor(true), { exact: true }).waitFor();
    await owner.close();
  });

  it('is asked by an owner only who has one, and lets a member leave', async () => {
    const client = await makeClient(app);
    const owner = await openConsole(app, { client, allowed: [/^403 /, /^401 GET /] });
    expect(await faultsOf(owner, '/conta/equipe')).toEqual([]);
    await owner.page.getByText(`${TEXT.ruleOwnFirst}.`).waitFor();
    await app.query('update clients set require_second_factor = true where id = $1', [client.id]);
    await owner.page.goto('/');
    await heading(owner, TEXT.missingTitle);
    await button(owner, SHELL.signOut).click();
    await heading(owner, SIGN_IN.title);
    await owner.close();
  });
});
