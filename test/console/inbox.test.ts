import { describe, expect, it } from '@jest/globals';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { INBOX } from '../../web/src/texts/inbox.ts';
import { TIMELINE } from '../../web/src/texts/timeline-texts.ts';
import { axeViolations, focused, pressTabUntil } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';

const HOSTILE = `<script>alert(1)</script> pago \u202e00,1 $R\u202c em https://outro.exemplo/p Quero falar com uma pessoa`;

/** The debts by the first name of their debtors. */
const debts: Record<'ana' | 'bruno' | 'carla' | 'davi', string> = { ana: '', bruno: '', carla: '', davi: '' };

const app = await opened(startCollectionApp());
const client = await app.newClient();
const staff = collector(client);
const launch = async (debtorName: string, n: number, text: string, status: string): Promise<string> => {
  const id = await staff.launchOne({ debtorName }, n);
  await staff.say(id, text);
  await staff.reaches(id, `${debtorName} is heard`, (debt) => debt.status === status);
  return id;
};
debts.bruno = await launch('Bruno Dias', 21, 'Quero falar com um atendente', 'ON_HOLD');
debts.carla = await launch('Carla Reis', 22, HOSTILE, 'ON_HOLD');
debts.ana = await launch('Ana Souza', 23, 'Não reconheço essa dívida', 'DISPUTED');
debts.davi = await launch('Davi Melo', 24, 'Pare de me mandar mensagens', 'OPTED_OUT');
const window = await openConsole(app, {
  client,
  allowed: [/^409 POST \/api\/debts\/[^/]+\/messages$/, /^400 POST \/api\/debts\/[^/]+\/messages$/],
});

const shown = (text: string): Promise<void> => window.page.getByText(text).first().waitFor({ timeout: 20_000 });
const conversation = () => window.page.getByRole('region', { name: INBOX.conversation, exact: true });

describe('the inbox of the console', () => {
  it('shows what a stranger has written as plain text, and follows none of its links', async () => {
    await window.visit(`/atendimento/${debts.carla}`);
    const text = (await window.page.locator('main').textContent()) ?? '';
    expect(text).toContain('<script>alert(1)</script> pago \ufffd00,1 $R\ufffd em https://outro.exemplo/p');
    expect(text).not.toMatch(/[\u202a-\u202e]/);
    expect(await window.page.locator('a[href*="outro.exemplo"]').count()).toBe(0);
    expect(await window.page.locator('main script').count()).toBe(0);
  });

  it('can be used by everybody with a case open, in both themes and at both widths', async () => {
    for (const width of [1280, 320]) {
      for (const theme of ['light', 'dark'] as const) {
        await window.show({ width, theme });
        await window.visit(`/atendimento/${debts.carla}`);
        expect(await axeViolations(window.page)).toEqual([]);
        expect(await window.scrollsSideways()).toBe(false);
      }
    }
    await window.show({ width: 1280, theme: 'light' });
  });

  it('has the conversation and the answer in sight on a small desk, without scrolling', async () => {
    await window.page.setViewportSize({ width: 1366, height: 768 });
    await window.visit(`/atendimento/${debts.carla}`);
    for (const part of [
      conversation().getByRole('region', { name: INBOX.history }),
      conversation().getByLabel(INBOX.answer),
      conversation().getByRole('button', { name: INBOX.send }),
    ]) {
      const box = (await part.boundingBox())!;
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(768);
    }
    expect(await window.page.evaluate('document.scrollingElement.scrollHeight <= innerHeight')).toBe(true);
    expect(
      await conversation()
        .getByRole('link', { name: /^\(\d{2}\)/ })
        .getAttribute('href'),
    ).toMatch(/^tel:\+55/);
    await window.show({ width: 1280 });
  });

  it('names the rule that blocks a message', async () => {
    await window.visit(`/atendimento/${debts.davi}`);
    await conversation().getByLabel(INBOX.answer).fill('Oi! Podemos conversar?');
    await window.page.getByRole('button', { name: INBOX.send }).click();
    const refusal = window.page.getByRole('alert');
    await refusal.getByText(INBOX.blockedTitle).waitFor();
    expect(await refusal.textContent()).toContain('Pedido de silêncio');
    expect(await conversation().getByLabel(INBOX.answer).inputValue()).toBe('Oi! Podemos conversar?');
  });

  it('sends what a person answers, after its warnings are confirmed', async () => {
    await window.visit('/atendimento');
    // The dispute stands first and is open; Bruno waits longest of the others.
    await window.page.keyboard.press('j');
    expect((await focused(window.page)).name).toContain('Bruno Dias');
    await shown('A pessoa espera uma resposta');
    await window.page.keyboard.press('r');
    await window.page.keyboard.type('Oi, Bruno! Aqui é a Ana, da escola. Posso ligar amanhã?');
    await pressTabUntil(window.page, INBOX.send, { role: 'button' });
    await window.page.keyboard.press('Enter');
    await shown('O texto cita um dia');
    await pressTabUntil(window.page, INBOX.sendAnyway, { role: 'button' });
    await window.page.keyboard.press('Enter');
    const sent = await until('the message leaves', async () => {
      const items: { text: string }[] = await staff.outbox(debts.bruno);
      return items.find(({ text }) => text.includes('Posso ligar amanhã?')) ?? null;
    });
    expect(sent.text).toContain('Aqui é a Ana');
    await shown('A conversa está com a sua equipe até');
    await conversation().getByText(TIMELINE.staff, { exact: true }).waitFor();
  });

  it('resumes a dispute by the keyboard alone and goes on to the next case', async () => {
    await window.visit('/atendimento');
    await window.page.keyboard.press('j');
    await window.page.keyboard.press('k');
    expect((await focused(window.page)).name).toContain('Ana Souza');
    await shown('As regras permitem o próximo contato');
    await pressTabUntil(window.page, INBOX.resume, { role: 'button' });
    await window.page.keyboard.press('Enter');
    await pressTabUntil(window.page, /^O que a equipe conferiu/);
    await window.page.keyboard.type('O contrato assinado foi conferido.');
    await pressTabUntil(window.page, INBOX.resume, { role: 'button' });
    await window.page.keyboard.press('Enter');
    // Bruno has been answered, so that it is his turn now.
    await shown(`${INBOX.resumed} ${INBOX.next('Carla Reis')}`);
    expect((await focused(window.page)).name).toContain('Carla Reis');
    const { timeline } = await staff.debt(debts.ana);
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: 'status_changed', from: 'DISPUTED', to: 'IN_COLLECTION' }),
    );
    expect(await window.page.getByRole('link', { name: /Ana Souza/ }).count()).toBe(0);
  });

  it('decides about marked cases together, and asks first where a person waits for an answer', async () => {
    const { page } = window;
    await window.visit('/atendimento');
    await page.getByRole('checkbox', { name: 'Marcar Carla Reis' }).check();
    const together = page.getByRole('group', { name: 'Ações para os casos marcados' });
    await together.getByRole('button', { name: 'Retomar' }).click();
    await page.getByText('1 destas pessoas espera uma resposta sua', { exact: false }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancelar' }).click();
    await together.getByRole('button', { name: 'Adiar' }).click();
    await page.getByRole('radio', { name: /^Em 7 dias/ }).check();
    const until = await page.locator('input[name="until"]:checked').inputValue();
    await page.getByRole('button', { name: 'Adiar 1 dívida' }).click();
    await shown('Feito em 1 dívida.');
    const [item] = await app.query<{ snoozed_until: Date }>(
      'select snoozed_until from inbox_items where debt_id = $1 and closed_at is null',
      [debts.carla],
    );
    expect(item?.snoozed_until.toISOString()).toBe(`${until}T12:00:00.000Z`);
  });
});
