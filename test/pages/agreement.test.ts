import { afterEach, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { addDays } from '../../src/kernel/calendar.ts';
import { formatCalendarDate } from '../../src/kernel/texts/format.ts';
import { startBrowser } from '../../testing/browser.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { PHONE, violations } from '../../testing/pages.ts';
import { agreementsOf, codeIn, debtorPages, today } from '../agreements/pages.ts';

const app = await opened(startCampaignsApp());
const browser = await opened(startBrowser());
const { newPerson, agreed, ask, personPage, payCode } = debtorPages(app);
let context: BrowserContext | undefined;

afterEach(async () => {
  await context?.close();
  context = undefined;
});

const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };

/** What is wrong with the page that is shown. `AGREEMENT_SCREENSHOTS=folder` stores how it looks. */
async function problems(page: Page, name: string): Promise<string[]> {
  const folder = process.env['AGREEMENT_SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  return [...(fits ? [] : [`${name} is wider than the screen`]), ...(await violations(page))];
}

describe('an agreement on a narrow phone', () => {
  it.each([true, false])(
    'leads from the page to the accepted agreement (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const person = await newPerson([{}, { dueDate: addDays(today, -20), originalAmount: 250.5 }], { graceMoves: 1 });
      context = await browser.newContext({ ...NARROW, javaScriptEnabled });
      const page = await context.newPage();
      const look = (name: string) => (javaScriptEnabled ? problems(page, name) : []);
      await page.goto(app.url + person.page);
      expect(await look('1-debt')).toEqual([]);
      await page.getByRole('link', { name: 'Ver opções de acordo' }).click();
      await page.getByRole('heading', { name: 'Opções de acordo', level: 1 }).waitFor();
      expect(await look('2-offers')).toEqual([]);
      await page.getByRole('link', { name: 'Escolher a opção 2' }).click();
      const accept = page.getByRole('button', { name: 'Aceitar o acordo' });
      await accept.waitFor();
      expect(await look('3-question')).toEqual([]);
      expect(await agreementsOf(person)).toEqual([]);
      await accept.click();
      await page.getByRole('heading', { name: 'Seu acordo' }).waitFor();
      const [agreement] = await agreementsOf(person);
      const text = await page.textContent('main');
      expect(text).toContain(agreement!.protocol);
      expect(await page.textContent('main [role=status].notice')).toContain('Acordo confirmado');
      expect(await look('4-agreement')).toEqual([]);

      await page.getByRole('link', { name: /Quitar tudo agora/ }).click();
      await page.getByText('tudo o que falta do acordo').waitFor();
      await page.getByRole('link', { name: 'Pagar só a próxima parcela' }).click();
      await page.getByText('1ª de 3 parcelas').waitFor();

      await page.getByText('Mudar a data de uma parcela').click();
      expect(await look('5-move')).toEqual([]);
      await page.getByLabel('Nova data').fill(addDays(agreement!.instalments[0]!.dueDate, 4));
      await page.getByRole('button', { name: 'Mudar a data' }).click();
      await page.getByText('a nova data está na lista').waitFor();
      const [moved] = await agreementsOf(person);
      expect(moved!.instalments[0]!.dueDate).not.toBe(agreement!.instalments[0]!.dueDate);

      await payCode(await page.inputValue('textarea'));
      if (!javaScriptEnabled) await page.getByRole('link', { name: 'atualize esta página' }).click();
      await page.getByText(`paga em ${formatCalendarDate(today)}`).waitFor({ timeout: 20_000 });
      await page.getByText('2ª de 3 parcelas').waitFor();
      expect(await look('6-paid')).toEqual([]);
      await page.getByRole('link', { name: 'Ver todas as suas contas' }).click();
      await page.getByRole('heading', { name: 'Seu acordo' }).waitFor();
      expect(await look('7-person')).toEqual([]);
    },
  );
});

describe('the open page of a person with an agreement', () => {
  it('asks for the next instalment once one is paid', async () => {
    const { page: path } = await agreed([{}, {}]);
    context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await page.goto(app.url + (await personPage(path)));
    await page.getByText('1ª de 3 parcelas').waitFor();
    await payCode(codeIn(await ask(path)));
    await page.getByText('2ª de 3 parcelas').waitFor({ timeout: 45_000 });
  });
});
