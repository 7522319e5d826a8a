import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { INBOX } from '../../web/src/texts/inbox.ts';
import { addMember } from '../http/accounts/accounts.ts';
import { axeViolations, focused, pressTabUntil } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const campaignId = await client.createCampaign();
const maria = { debtorName: 'Maria Alves', debtorCpf: cpfOf(700_000_001) };
await client.importJson(campaignId, [
  debtInput(1, { debtorName: 'Bruno Dias' }),
  debtInput(2, { ...maria, originalAmount: 100 }),
  debtInput(3, { debtorName: 'Carla Reis' }),
  debtInput(4, { ...maria, originalAmount: 200 }),
]);
const debts: { id: string }[] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
const [bruno, maria100, carla, maria200] = debts.map(({ id }) => id);
for (const [n, id] of [bruno, maria100, carla, maria200].entries()) {
  await app.query(
    `insert into inbox_items (client_id, debt_id, reason, since)
     values ($1, $2, $3, now() - interval '1 day' + make_interval(mins => $4))`,
    [client.id, id, id === maria200 ? 'disputed' : 'human', n],
  );
}
const { member: ana, token } = await addMember(app, client.id, 'agent', client.password);
await app.query(`update members set name = 'Ana' where id = $1`, [ana.id]);
const asAna = (method: string, path: string, body?: unknown) => app.call(method, path, { body, bearer: token });
const window = await openConsole(app, {
  client,
  allowed: [/^409 PUT \/api\/inbox\/[^/]+\/assignee$/],
});
const { page } = window;
const queue = () => page.getByRole('region', { name: INBOX.queue });
const decision = () => page.getByRole('region', { name: INBOX.decision });

describe('the inbox of a team', () => {
  it('keeps the cases of a person together, and goes through them by the keyboard', async () => {
    await window.visit('/atendimento');
    const head = queue().getByRole('button', { name: /Maria Alves/ });
    expect(await head.getAttribute('aria-expanded')).toBe('true');
    expect(await head.textContent()).toContain(INBOX.casesOfPerson(2));
    const links = queue().getByRole('link');
    expect(await links.evaluateAll((all) => all.map((one) => one.id.replace('caso-', '')))).toEqual([
      maria200,
      maria100,
      bruno,
      carla,
    ]);
    const others = page.getByRole('navigation', { name: INBOX.casesOf('Maria Alves') });
    expect(await others.getByRole('link').count()).toBe(2);
    await page.keyboard.press('j');
    expect(await others.locator('[aria-current=true]').textContent()).toContain('100,00');
    await page.keyboard.press('j');
    expect((await focused(page)).name).toContain('Bruno Dias');
    expect(await head.getAttribute('aria-expanded')).toBe('false');
  });

  it('lets a member take a case and give it to somebody by the keyboard, and shows the own ones', async () => {
    await window.visit(`/atendimento/${bruno}`);
    await pressTabUntil(page, INBOX.take, { role: 'button' });
    await page.keyboard.press('Enter');
    await decision().getByText(INBOX.you, { exact: true }).waitFor();
    await page.getByLabel(INBOX.whose).selectOption('me');
    await queue()
      .getByRole('link', { name: /Bruno Dias/ })
      .waitFor();
    // A second case leaves the list with the filter.
    await page.locator('a[id^="caso-"]').nth(1).waitFor({ state: 'detached' });
    await pressTabUntil(page, INBOX.assignTo, { role: 'button' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('combobox').selectOption({ label: 'Ana' });
    await pressTabUntil(page, INBOX.assign, { role: 'button' });
    await page.keyboard.press('Enter');
    // The own list has lost the case that was given away.
    await page.getByText(INBOX.emptyMine).first().waitFor();
    const [item] = await app.query<{ assignee_id: string }>('select assignee_id from inbox_items where debt_id = $1', [
      bruno,
    ]);
    expect(item!.assignee_id).toBe(ana.id);
  });

  it('shows who looks at a case, and tells kindly that a colleague took it or has decided', async () => {
    expect((await asAna('POST', `/api/inbox/${carla}/viewing`)).status).toBe(200);
    await window.visit(`/atendimento/${carla}`);
    await decision()
      .getByText(INBOX.viewing(['Ana']))
      .waitFor();
    expect((await asAna('PUT', `/api/inbox/${carla}/assignee`, { memberId: ana.id })).status).toBe(200);
    await decision().getByRole('button', { name: INBOX.take }).click();
    await decision().getByText('Alguém da equipe acabou de pegar este caso').waitFor();
    await decision().getByText('Ana', { exact: true }).waitFor();
    for (const width of [1280, 320]) {
      for (const theme of ['light', 'dark'] as const) {
        await window.show({ width, theme });
        await window.visit(`/atendimento/${maria200}`);
        expect(await axeViolations(page)).toEqual([]);
        expect(await window.scrollsSideways()).toBe(false);
        await window.visit('/atendimento');
        expect(await axeViolations(page)).toEqual([]);
      }
    }
    await window.show({ width: 1280, theme: 'light' });
    await window.visit(`/atendimento/${carla}`);
    expect((await asAna('POST', `/api/debts/${carla}/withdraw`)).status).toBe(200);
    await app.query('update inbox_items set closed_at = now() where debt_id = $1', [carla]);
    // The feed of changes tells the screen.
    await page.getByText('Ana já cuidou deste caso').waitFor({ timeout: 60_000 });
  });
});
