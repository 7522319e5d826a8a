import { describe, expect, it } from '@jest/globals';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { INBOX } from '../../web/src/texts/inbox.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCollectionApp());
const client = await app.newClient();
const staff = collector(client);
const window = await openConsole(app, { client });
const { page } = window;

const conversation = () => page.getByRole('region', { name: INBOX.conversation, exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** The status of a debt, and until when the assistant is silent. */
const stateOf = async (id: string): Promise<readonly unknown[]> => {
  const { status, staffAnswersUntil } = (await client.call('GET', `/api/debts/${id}`)).body;
  return [status, staffAnswersUntil];
};

/** Launches a debt whose person says something and is answered by the staff, during which the assistant is silent. */
async function talking(debtorName: string, n: number, text: string, status: string): Promise<string> {
  const id = await staff.launchOne({ debtorName }, n);
  await staff.reaches(id, 'the contact', (debt) => debt.status === 'IN_COLLECTION');
  await staff.say(id, text);
  await staff.reaches(
    id,
    `${debtorName} is heard`,
    (debt) => debt.status === status && debt.timeline.some(({ kind }) => kind === 'message_received'),
  );
  const written = await client.call('POST', `/api/debts/${id}/messages`, { text: 'Oi! Aqui é a Ana.', confirm: true });
  expect(written.status).toBe(202);
  await window.visit(`/atendimento/${id}`);
  await conversation()
    .getByText(/^A conversa está com a sua equipe até/)
    .waitFor();
  return id;
}

describe('a conversation that staff have had', () => {
  it('is given back to the assistant and stays on the screen', async () => {
    const id = await talking('Bruno Dias', 31, 'Oi, tudo bem?', 'IN_COLLECTION');
    await press(INBOX.handBack);
    await page.getByText(INBOX.handedBack).waitFor();
    await page.getByRole('button', { name: INBOX.handBack, exact: true }).waitFor({ state: 'detached' });
    await conversation().getByText('Oi, tudo bem?').waitFor();
    expect(await stateOf(id)).toEqual(['IN_COLLECTION', null]);
  });

  it('is given back as its debt is resumed', async () => {
    const id = await talking('Carla Reis', 32, 'Quero falar com um atendente', 'ON_HOLD');
    await press(INBOX.handBackAndResume);
    await page.getByText(INBOX.resumed).waitFor();
    expect(await stateOf(id)).toEqual(['IN_COLLECTION', null]);
  });

  it('is given back as its debt is resumed with a note', async () => {
    const id = await talking('Davi Melo', 33, 'Não reconheço essa dívida', 'DISPUTED');
    await press(INBOX.handBackAndResume);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^O que a equipe conferiu/).fill('O contrato assinado foi conferido.');
    await dialog.getByRole('button', { name: INBOX.resume, exact: true }).click();
    await page.getByText(INBOX.resumed).waitFor();
    expect(await stateOf(id)).toEqual(['IN_COLLECTION', null]);
  });
});
