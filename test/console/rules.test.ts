import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CampaignsApp, startCampaignsApp, type TestClient } from '../campaigns/support.ts';
import { type Console, openConsole } from './support/console.ts';

let app: CampaignsApp;
let client: TestClient;
let window: Console;

beforeAll(async () => {
  app = await startCampaignsApp();
  client = await app.newClient();
  const { email } = (await client.call('GET', '/api/onboarding/me')).body;
  window = await openConsole(app);
  await window.signIn({ email, password: 'Segredo123' });
});
afterAll(() => app?.close());

const row = (text: string) => window.page.getByRole('row').filter({ hasText: text });
const hours = (state: string) =>
  window.page.getByRole('table', { name: 'Horários por estado' }).getByRole('row', { name: new RegExp(`^${state} `) });

describe('the screens of the rules and of the company', () => {
  it('show where each rule was seen to be in force, and which one is not proved', async () => {
    await window.visit('/regras');
    const ofMatoGrosso = row('no máximo 2 contatos por dia');
    expect(await ofMatoGrosso.textContent()).toContain('Só para quem cobra dívidas de outras empresas.');
    expect(await ofMatoGrosso.getByRole('link', { name: /^Comprovada por: Diário Oficial/ }).getAttribute('href')).toBe(
      'https://iomat.mt.gov.br/legislacao/diario_oficial/detalhes/123073',
    );
    expect(await row('São Paulo: dias úteis').textContent()).toMatch(/Não comprovada.*Conferida em 25\/11\/2026/);
    expect(await row('Bahia: cobrança').textContent()).toContain('Ainda não é lei: não vale para ninguém.');
    expect(await row('Minas Gerais: dias úteis').textContent()).toContain('Vale por escolha do Quita.');
    expect([await hours('AM').count(), await hours('MT').count(), await hours('BA').count()]).toEqual([1, 0, 0]);
  });

  it('let the company say that it collects for others, and show the hours that then hold', async () => {
    await window.visit('/conta');
    const field = window.page.getByLabel('De quem são as dívidas cobradas');
    expect(await field.inputValue()).toBe('itself');
    await field.selectOption('others');
    await window.page.getByRole('button', { name: 'Salvar os dados da empresa' }).click();
    await window.page.getByText('Dados da empresa salvos.').waitFor();
    expect((await client.call('GET', '/api/onboarding/me')).body).toMatchObject({ collectsFor: 'others' });
    await window.visit('/regras');
    await hours('MT').waitFor();
    expect(await hours('MT').textContent()).toContain('09:00 – 18:00');
    expect(await window.scrollsSideways()).toBe(false);
  });
});
