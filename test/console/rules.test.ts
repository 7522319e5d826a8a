import { describe, expect, it } from '@jest/globals';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { RULES } from '../../web/src/texts/rules.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const window = await openConsole(app, { client });

const row = (text: string) => window.page.getByRole('row').filter({ hasText: text });
const hours = (state: string) =>
  window.page.getByRole('table', { name: RULES.hours }).getByRole('row', { name: new RegExp(`^${state} `) });

describe('the screens of the rules and of the company', () => {
  it('show where each rule was seen to be in force, and which one is not proved', async () => {
    await window.visit('/regras');
    const ofMatoGrosso = row('no máximo 2 contatos por dia');
    expect(await ofMatoGrosso.textContent()).toContain('Só para quem cobra dívidas de outras empresas.');
    expect(await ofMatoGrosso.getByRole('link', { name: /^Comprovada por: Diário Oficial/ }).getAttribute('href')).toBe(
      'https://iomat.mt.gov.br/legislacao/diario_oficial/detalhes/123073',
    );
    expect(await row('São Paulo: dias úteis').textContent()).toMatch(
      /Sem prova de vigência.*Conferida em 25\/11\/2026/,
    );
    const unproved = loadPolicy().pack.rules.filter(
      ({ status, statusProof }) => status !== 'bill' && statusProof === null,
    );
    await window.page.getByText(RULES.unprovedCount(unproved.length)).waitFor();
    expect(await row('Bahia: cobrança').textContent()).toContain('Ainda não é lei: não vale para ninguém.');
    expect(await row('Minas Gerais: dias úteis').textContent()).toContain('Vale por escolha do Quita.');
    expect([await hours('AM').count(), await hours('MT').count(), await hours('BA').count()]).toEqual([1, 0, 0]);
  });

  it('save what is changed of the company’s own rules, and leave the caps that they have no fields for', async () => {
    const caps = [
      { count: 1, hours: 30 },
      { count: 2, hours: 168 },
    ];
    expect((await client.call('PUT', '/api/policy/own', { caps })).status).toBe(200);
    await window.visit('/regras');
    await window.page.getByText(RULES.inHours(30)).waitFor();
    await window.page.getByText(RULES.otherCaps(caps.slice(1))).waitFor();
    await window.page.getByLabel(RULES.afterDue).fill('5');
    await window.page.getByRole('button', { name: RULES.saveOwn }).click();
    await window.page.getByText(RULES.savedOwn).waitFor();
    expect((await client.call('GET', '/api/policy/own')).body).toMatchObject({ caps, daysAfterDue: 5 });
    expect(await window.scrollsSideways()).toBe(false);
  });

  it('let the company say that it collects for others, and show the hours that then hold', async () => {
    await window.visit('/conta');
    const field = window.page.getByLabel(ACCOUNT.collectsFor);
    expect(await field.inputValue()).toBe('itself');
    await field.selectOption('others');
    await window.page.getByRole('button', { name: ACCOUNT.saveCompany }).click();
    await window.page.getByText(ACCOUNT.savedCompany).waitFor();
    expect((await client.call('GET', '/api/onboarding/me')).body).toMatchObject({ collectsFor: 'others' });
    await window.visit('/regras');
    await hours('MT').waitFor();
    expect(await hours('MT').textContent()).toContain('09:00 – 18:00');
    expect(await window.scrollsSideways()).toBe(false);
  });
});
