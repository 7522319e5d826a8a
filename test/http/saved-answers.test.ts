import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { addMember } from './accounts/accounts.ts';

const PATH = '/api/saved-answers';
const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];
const campaignId = await client.createCampaign();
await client.importJson(campaignId, [debtInput(1, { debtorName: 'JOANA DA SILVA' })]);
const [debt] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
const { token: agent } = await addMember(app, client.id, 'agent', client.password);

const save = (text: string, name = 'Agradecer') => client.call('POST', PATH, { name, text });
const asAgent = (method: string, path: string, body?: unknown) =>
  app.call<{ items: { name: string }[] }>(method, path, { body, bearer: agent });

describe('the saved answers of a company', () => {
  it('are kept by managers, used by agents, and seen by no other company', async () => {
    const { status, body } = await save('Obrigado, {{nome}}! Aqui é a {{credor}}.');
    expect(status).toBe(201);
    expect((await save('Tudo certo.', 'abraço')).status).toBe(201);
    const { items } = (await asAgent('GET', PATH)).body;
    expect(items.map(({ name }) => name)).toEqual(['abraço', 'Agradecer']);
    expect((await asAgent('POST', PATH, { name: 'x', text: 'x' })).status).toBe(403);
    expect((await stranger.call('GET', PATH)).body.items).toEqual([]);
    for (const method of ['PATCH', 'DELETE']) {
      const given = method === 'PATCH' ? { name: 'Minha' } : undefined;
      expect((await stranger.call(method, `${PATH}/${body.id}`, given)).status).toBe(404);
      expect((await client.call(method, `${PATH}/${randomUUID()}`, given)).status).toBe(404);
    }
    const changed = await client.call('PATCH', `${PATH}/${body.id}`, { name: 'Obrigado' });
    expect(changed.body).toEqual({ id: body.id, name: 'Obrigado', text: 'Obrigado, {{nome}}! Aqui é a {{credor}}.' });
    const filled = (await asAgent('GET', `${PATH}?debtId=${debt.id}`)).body.items;
    expect(filled).toContainEqual({ ...changed.body, filled: 'Obrigado, Joana! Aqui é a Escola Aurora.' });
    expect((await stranger.call('GET', `${PATH}?debtId=${debt.id}`)).status).toBe(404);
    expect((await client.call('DELETE', `${PATH}/${body.id}`)).status).toBe(204);
    expect((await asAgent('GET', PATH)).body.items).toHaveLength(1);
  });

  it.each([
    ['Vamos mandar o seu nome para o protesto.', 'threat'],
    ['Você é um caloteiro.', 'shame'],
    ['Vou falar com a sua família.', 'third_party'],
    ['Acesse {{link}}.', 'placeholder_unknown'],
    ['', 'too_short'],
    ['a'.repeat(1_001), 'too_long'],
  ])('are checked as an answer is: %s', async (text, code) => {
    expect(await save(text)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/text', code }] } });
  });

  it('are at most 100, also when they are saved at once', async () => {
    const full = await app.newClient();
    await app.query(
      `insert into saved_answers (client_id, name, text) select $1, 'a ' || n, 't' from generate_series(1, 98) n`,
      [full.id],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => full.call('POST', PATH, { name: `b ${n}`, text: 'Oi' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect((await full.call('GET', PATH)).body.items).toHaveLength(100);
  });
});
