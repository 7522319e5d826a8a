import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { CAMPAIGN } from '../../web/src/texts/campaign.ts';
import { CAMPAIGNS } from '../../web/src/texts/campaigns.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { DEBT } from '../../web/src/texts/debt.ts';
import { PROBLEM_TEXT } from '../../web/src/texts/problem-texts.ts';
import { ROLE_NAMES } from '../../web/src/texts/roles.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { TEAM } from '../../web/src/texts/team.ts';
import { addMember, mailedToken, mailsAsked, newEmail, PASSWORD, tryLogIn } from '../http/accounts/accounts.ts';
import { pressTabUntil } from './support/accessibility.ts';
import { makeClient } from './support/client.ts';
import { type Console, openConsole } from './support/console.ts';
import { faultsHere, faultsOf } from './support/faults.ts';

const app = await opened(
  startApp({ roles: ['api', 'worker', 'relay'], env: { OPERATOR_EMAIL: 'operador@quita.com.br' } }),
);
const client = await makeClient(app);
const { id: campaignId } = (await app.post<{ id: string }>('/api/sandbox/example', undefined, client.token)).body;
const debtId = (await app.get<{ items: { id: string }[] }>(`/api/campaigns/${campaignId}/debts?limit=1`, client.token))
  .body.items[0]!.id;
const owner = await openConsole(app, { client, allowed: ['409 POST /api/members', /^409 DELETE \/api\/members\//] });

const button = ({ page }: Console, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (email: string) => owner.page.getByRole('row').filter({ hasText: email });

/** Takes the invitation on the page behind the link of the mail by the keyboard alone, and signs in with it. */
async function join(email: string): Promise<Console> {
  const token = await mailedToken(app, email, 'member_invited');
  const window = await openConsole(app);
  const { page } = window;
  await page.goto(`/accept-invitation#${token}`);
  await page.waitForURL('/accept-invitation');
  expect(await faultsHere(window, 'an invitation')).toEqual([]);
  await pressTabUntil(page, 'Seu nome', { role: 'textbox' });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Bia Souza');
  await pressTabUntil(page, 'Senha', { role: 'textbox' });
  await page.keyboard.type(PASSWORD);
  await pressTabUntil(page, 'Aceitar o convite', { role: 'button' });
  await page.keyboard.press('Enter');
  await page.getByText('você já faz parte da equipe').waitFor();
  await window.visit('/entrar');
  await page.getByLabel(SIGN_IN.email).fill(email);
  await page.getByRole('textbox', { name: SIGN_IN.password }).fill(PASSWORD);
  await button(window, SIGN_IN.submit).click();
  await page.getByRole('navigation', { name: SHELL.navigation }).waitFor();
  await window.ready();
  return window;
}

describe('the team in the console', () => {
  const email = newEmail();
  let member: Console;

  it('invites a person with the keyboard alone, and says in words why it cannot', async () => {
    expect(await faultsOf(owner, '/conta/equipe')).toEqual([]);
    await owner.show({ theme: 'light', width: 1280 });
    const dialog = owner.page.getByRole('dialog');
    await button(owner, TEAM.leave).click();
    await dialog.getByRole('button', { name: TEAM.leave }).click();
    await dialog.getByText(PROBLEM_TEXT.last_owner).waitFor();
    await dialog.getByRole('button', { name: COMMON.cancel }).click();

    const { page } = owner;
    const { keyboard } = page;
    await pressTabUntil(page, TEAM.invite, { role: 'button' });
    await keyboard.press('Enter');
    await dialog.waitFor();
    expect(await faultsHere(owner, 'the invitation of a person')).toEqual([]);
    await pressTabUntil(page, TEAM.email, { role: 'textbox' });
    await keyboard.type(client.email);
    await pressTabUntil(page, TEAM.name, { role: 'textbox' });
    await keyboard.type('Bia');
    await pressTabUntil(page, TEAM.role, { role: 'combobox' });
    await keyboard.type(ROLE_NAMES.agent);
    expect(await dialog.getByLabel(TEAM.role).inputValue()).toBe('agent');
    await pressTabUntil(page, TEAM.invite, { role: 'button' });
    await keyboard.press('Enter');
    await dialog.getByText(TEAM.emailTaken).waitFor();
    await pressTabUntil(page, TEAM.email, { role: 'textbox' });
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(email);
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await rowOf(email).getByRole('button', { name: TEAM.takeBack }).waitFor();
  });

  it('offers a new member what the role allows, and nothing else', async () => {
    member = await join(email);
    await button(member, client.name).click();
    await button(member, SHELL.signedInAs('Bia Souza', ROLE_NAMES.agent)).waitFor();
    await member.page.keyboard.press('Escape');
    const navigation = member.page.getByRole('navigation', { name: SHELL.navigation });
    expect(await navigation.getByRole('link', { name: SHELL.rules, exact: true }).count()).toBe(0);
    await member.visit('/campanhas');
    expect(await button(member, CAMPAIGNS.create).count()).toBe(0);
    await member.visit(`/campanhas/${campaignId}`);
    expect(await member.page.getByText(CAMPAIGN.rehearse).count()).toBe(0);
    await member.visit(`/campanhas/${campaignId}/importar`);
    await member.page.getByText(PROBLEM_TEXT.role_insufficient).waitFor();
    await member.visit('/conta/registro');
    expect(await button(member, ACCOUNT.audit).count()).toBe(0);
    expect(await button(member, ACCOUNT.saveCompany).count()).toBe(0);
    await member.visit(`/dividas/${debtId}`);
    expect(await button(member, DEBT.correct).count()).toBe(0);
    await button(member, DEBT.note).waitFor();
  });

  it('follows a role that an owner has lowered meanwhile', async () => {
    const dialog = owner.page.getByRole('dialog');
    await owner.visit('/conta/equipe');
    await rowOf(email).getByRole('button', { name: TEAM.changeRole }).click();
    await dialog.getByLabel(TEAM.role).selectOption('viewer');
    await dialog.getByText(TEAM.roleText('viewer')).waitFor();
    expect(await faultsHere(owner, 'the change of a role')).toEqual([]);
    await dialog.getByRole('button', { name: COMMON.save }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowOf(email).getByText(ROLE_NAMES.viewer, { exact: true }).waitFor();

    member.allow(/^403 POST /);
    await button(member, DEBT.note).click();
    const note = member.page.getByRole('dialog');
    await note.getByRole('textbox').first().fill('Ligou de manhã');
    await note.locator('button[type=submit]').click();
    await member.page.getByText(SHELL.roleChanged(ROLE_NAMES.viewer)).waitFor();
    await button(member, DEBT.note).waitFor({ state: 'detached' });
  });

  it('ends the session of a member who is removed', async () => {
    const dialog = owner.page.getByRole('dialog');
    await rowOf(email).getByRole('button', { name: TEAM.remove }).click();
    await dialog.getByText(TEAM.removeText).waitFor();
    await dialog.getByRole('button', { name: TEAM.remove }).click();
    await rowOf(email).waitFor({ state: 'detached' });
    member.allow('401 POST /api/session/token');
    await member.page.goto('/campanhas');
    await member.page.getByRole('heading', { level: 1, name: SIGN_IN.title }).waitFor();
    await member.close();
  });

  it.each(['viewer', 'auditor'] as const)('shows a %s no screen that the server refuses a part of', async (role) => {
    const { member: reader } = await addMember(app, client.id, role, client.password);
    const window = await openConsole(app, { client: { email: reader.email, password: client.password } });
    const places = [
      ...['/', '/campanhas', `/campanhas/${campaignId}`, '/atendimento', '/dividas', `/dividas/${debtId}`, '/acordos'],
      ...['/recibos', '/recibos?ver=recebimentos', '/recebidos', `/simulador/${debtId}`, '/regras', '/encargos'],
      ...['/ofertas', '/conta', '/conta/equipe', '/conta/acesso', '/conta/canais', '/conta/registro'],
    ];
    for (const place of places) {
      await window.visit(place);
      expect([place, await window.page.getByRole('alert').count()]).toEqual([place, 0]);
    }
    expect(await faultsOf(window, `/dividas/${debtId}`)).toEqual([]);
    await window.close();
  });
});

describe('what an owner asks for by mail', () => {
  it('is the verification of the company, of the operator', async () => {
    await app.call('PATCH', '/api/onboarding/me', { bearer: client.token, body: { cnpj: '11222333000181' } });
    await owner.visit('/conta');
    await owner.page.getByText(ACCOUNT.askText).waitFor();
    expect(await faultsHere(owner, 'a company that is not verified')).toEqual([]);
    await button(owner, ACCOUNT.askSubmit).click();
    await owner.page.getByText(ACCOUNT.askedVerification).waitFor();
    expect(await mailsAsked(app, client.id, 'verification_asked')).toBe(1);
  });

  it('is another address to sign in with, which both addresses confirm', async () => {
    const next = newEmail();
    const { page } = owner;
    await owner.visit('/conta/acesso');
    await page.getByLabel(ACCOUNT.emailNext).fill(next);
    await button(owner, ACCOUNT.changeEmail).click();
    await page.getByText(ACCOUNT.emailAsked).waitFor();
    for (const [address, kind] of [
      [client.email, 'email_change_present'],
      [next, 'email_change_new'],
    ] as const) {
      await page.goto(`/change-email#${await mailedToken(app, address, kind)}`);
      await page.waitForURL('/change-email');
      expect(await faultsHere(owner, kind)).toEqual([]);
      await button(owner, 'Confirmar a troca').click();
      await page.getByText(kind === 'email_change_new' ? 'Troca feita.' : 'Falta confirmar no outro').waitFor();
    }
    expect((await tryLogIn(app, next, client.password)).status).toBe(200);
  });
});
