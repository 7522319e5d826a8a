import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

// The sandbox waits long for the next contact, so that nothing happens between the events of a test.
const app = await opened(startCollectionApp({ env: { SANDBOX_MAX_WAIT: '60s' } }));
const client = await app.newClient();
const staff = collector(client);
let persons = 0;

/** A person with an open page of rights, in a campaign that is a draft. */
async function person(given: object = {}) {
  persons += 1;
  // No simulated debtor has a phone that ends like this one.
  const input = debtInput(700 + persons, {
    debtorCpf: cpfOf(660_000_000 + persons),
    debtorPhone: `+551198007${3000 + persons}`,
    ...given,
  });
  const page = await openRightsPage(app, client, input);
  return { ...page, input, campaignId: (await staff.debt(page.debtId)).campaignId };
}
type Person = Awaited<ReturnType<typeof person>>;

const get = async (path: string) => {
  const answer = await fetch(`${app.url}${path}`, { redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};
const shown = ({ path, proof }: Person) => get(`${path}?v=${proof}`);
const open = async ({ path }: Person, digits: string) => {
  const body = new URLSearchParams({ digitos: digits });
  const answer = await fetch(`${app.url}${path}/abrir`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app.url },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
};
const requestsOf = async ({ debtId }: Person) =>
  (await client.call('GET', `/api/rights-requests?debtId=${debtId}`)).body.items;
const answer = (id: string, more: object = {}) =>
  client.call('POST', `/api/rights-requests/${id}/answer`, { text: 'Conferimos.', outcome: 'granted', ...more });
const settle = ({ debtId }: Person) =>
  client.call('POST', `/api/debts/${debtId}/settle`, {
    amount: 150.75,
    paidAt: new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10),
    method: 'cash',
  });
const launch = ({ campaignId }: Person) => client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
const waiting = async ({ debtId }: Person): Promise<string[]> => {
  const { items } = (await client.call('GET', '/api/inbox?limit=100')).body;
  return items
    .filter(({ debt }: { debt: { id: string } }) => debt.id === debtId)
    .map((one: { reason: string }) => one.reason);
};
const WISH = { de: '09:00', ate: '18:00', dia: '2' };

describe('silence and a preference', () => {
  it('do not undo each other, in whichever order they come', async () => {
    const one = await person();
    await launch(one);
    await one.ask('silencio', {});
    await staff.reaches(one.debtId, 'silence', ({ status }) => status === 'OPTED_OUT');
    expect((await one.ask('preferencia', WISH)).headers.get('location')).toContain('pedido=PD-');
    await one.ask('preferencia', { apagar: 'sim' });
    expect((await staff.debt(one.debtId)).status).toBe('OPTED_OUT');
    expect((await shown(one)).text).toContain('silêncio');

    const other = await person();
    await other.ask('preferencia', WISH);
    await launch(other);
    await other.ask('silencio', {});
    await staff.reaches(other.debtId, 'silence', ({ status }) => status === 'OPTED_OUT');
  });

  it('hold for a debt of the person that comes later', async () => {
    const one = await person();
    await one.ask('preferencia', { ...WISH, dia: '3' });
    const later = await client.createCampaign();
    await client.importJson(later, [{ ...one.input, invoiceId: 'depois', originalAmount: 99 }]);
    const { items } = (await client.call('GET', `/api/campaigns/${later}/debts`)).body;
    const { ruleIds } = (await client.call('GET', `/api/debts/${items[0].id}/contact-eligibility`)).body;
    expect(ruleIds).toContain('debtor-preference');
  });

  it('are not refused for the hours of a debt that has ended', async () => {
    const one = await person();
    expect(
      (await client.call('PATCH', `/api/campaigns/${one.campaignId}`, { hours: { from: '09:00', to: '10:00' } }))
        .status,
    ).toBe(200);
    const later = await client.createCampaign();
    await client.importJson(later, [{ ...one.input, invoiceId: 'outra', originalAmount: 99 }]);
    const wish = { de: '14:00', ate: '16:00', dia: '2' };
    expect((await one.ask('preferencia', wish)).headers.get('location')).toContain('erro=no_opening');
    await client.call('POST', `/api/debts/${one.debtId}/withdraw`);
    expect((await one.ask('preferencia', wish)).headers.get('location')).toContain('pedido=PD-');
  });
});

describe('a request that waits for an answer', () => {
  it('of a dispute outlives the payment, and then data is not corrected any more', async () => {
    const one = await person();
    await launch(one);
    await one.ask('correcao', { texto: 'O valor é outro.' });
    expect((await settle(one)).body.status).toBe('PAID');
    expect(await waiting(one)).toEqual(['rights']);
    const [request] = await requestsOf(one);
    const tried = await answer(request.id, { changes: { originalAmount: 10 } });
    expect([tried.status, (await requestsOf(one))[0].answeredAt]).toEqual([409, null]);
    expect((await answer(request.id)).status).toBe(200);
    expect(await waiting(one)).toEqual([]);
    expect((await shown(one)).text).toContain('Conferimos.');
  });

  it('is one however often the form is sent, and another with other words', async () => {
    const one = await person();
    const texto = 'O meu e-mail mudou.';
    const sent = await Promise.all([1, 2].map(() => one.ask('correcao', { texto })));
    sent.push(await one.ask('correcao', { texto }));
    const protocols = sent.map((each) =>
      new URL(each.headers.get('location') ?? '', app.url).searchParams.get('pedido'),
    );
    expect([new Set(protocols).size, (await requestsOf(one)).length]).toEqual([1, 1]);
    await one.ask('correcao', { texto: 'O meu telefone mudou.' });
    expect(await requestsOf(one)).toHaveLength(2);
    const [{ id }] = (await requestsOf(one)).filter(({ text }: { text: string }) => text === texto);
    await answer(id);
    await one.ask('correcao', { texto });
    expect(await requestsOf(one)).toHaveLength(3);
  });

  it('is answered on an open page also while the digits are locked', async () => {
    const one = await person();
    await one.ask('revisao', { texto: '' });
    for (let n = 0; n < 5; n += 1) expect(await open(one, 'abcd')).toBe(422);
    const [{ id }] = await requestsOf(one);
    expect((await answer(id)).status).toBe(200);
    expect(await open(one, one.input.debtorCpf.slice(-4))).toBe(429);
    expect((await shown(one)).text).toContain('Conferimos.');
  });

  it('ends with the person: after an erasure nobody is asked for an answer, and the address is as unknown', async () => {
    const one = await person();
    await one.ask('correcao', { texto: 'Apaguem tudo.' });
    const [{ id }] = await requestsOf(one);
    await client.call('POST', `/api/debts/${one.debtId}/withdraw`);
    const link = (await client.call('GET', `/api/debts/${one.debtId}`)).body.rightsUrl;
    const isGenuine = async (content: string) =>
      (await app.call<{ genuine: boolean }>('POST', '/api/genuine', { body: { content } })).body.genuine;
    expect([await isGenuine(link), await isGenuine(`${link}?v=${one.proof}`)]).toEqual([true, true]);
    const asked = await client.call('POST', '/api/privacy/erasures', { cpf: one.input.debtorCpf });
    expect(asked.status).toBeLessThan(300);
    await staff.reaches(one.debtId, 'the erasure', (debt) => !debt.debtorPhone);
    expect((await get(one.path)).status).toBe(404);
    expect((await shown(one)).status).toBe(404);
    expect((await get(`${one.path}?v=${one.proof}&format=json`)).status).toBe(404);
    expect((await one.ask('correcao', { texto: 'x' })).status).toBe(404);
    expect(await waiting(one)).toEqual([]);
    const open = (await client.call('GET', '/api/rights-requests?state=open&limit=100')).body.items;
    expect(open.map((request: { id: string }) => request.id)).not.toContain(id);
    expect((await answer(id)).body.code).toBe('debt_state');
    expect(await isGenuine(link)).toBe(false);
  });
});

describe('“isto não é meu”', () => {
  it('pressed twice at once is done once', async () => {
    const one = await person();
    const statuses = await Promise.all([1, 2, 3].map(async () => (await one.ask('nao-e-meu', {})).status));
    expect(statuses.toSorted()).toEqual([200, 404, 404]);
    expect(await requestsOf(one)).toHaveLength(1);
  });

  it('ends the address, and the next phone gets another one', async () => {
    const one = await person({ debtorPhones: ['+5511980079901', '+5511980079902'], debtorPhone: '+5511980079901' });
    await launch(one);
    await one.ask('nao-e-meu', {});
    await staff.reaches(one.debtId, 'the next phone', ({ debtorPhone }) => debtorPhone === '+5511980079902');
    const { rightsUrl } = (await client.call('GET', `/api/debts/${one.debtId}`)).body;
    expect(new URL(rightsUrl).pathname).not.toBe(one.path);
    expect((await get(new URL(rightsUrl).pathname)).status).toBe(200);
    // A proof of the old address opens nothing.
    expect((await get(`${new URL(rightsUrl).pathname}?v=${one.proof}`)).text).not.toContain('Maria');
    expect((await get(`/direitos/${randomUUID()}`)).status).toBe((await shown(one)).status);
  });
});

describe('a listing at a bureau', () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10);
  const list = ({ debtId }: Person) =>
    client.call('POST', `/api/debts/${debtId}/negativation`, { bureau: 'Bureau A', at: day(2), notifiedAt: day(40) });

  it('that was removed asks for nothing when the payment is undone, and may be made again', async () => {
    const one = await person({ dueDate: day(100) });
    await launch(one);
    expect((await list(one)).status).toBe(200);
    await settle(one);
    await until('the removal is asked for', async () => (await waiting(one)).includes('negativation'));
    const removed = await client.call('POST', `/api/debts/${one.debtId}/negativation/removed`, { at: day(0) });
    expect(removed.status).toBe(200);
    const [payment] = (await client.call('GET', `/api/debts/${one.debtId}/payments`)).body.items;
    expect((await client.call('POST', `/api/settlements/${payment.paymentId}/undo`)).status).toBe(200);
    expect(await waiting(one)).toEqual([]);
    expect((await list(one)).status).toBe(200);
  });

  it('is refused while the person disputes the debt', async () => {
    const one = await person({ dueDate: day(100) });
    await launch(one);
    const form = new FormData();
    for (const [name, value] of [
      ['v', one.proof],
      ['texto', 'Não é minha.'],
    ] as const)
      form.set(name, value);
    const sent = await fetch(`${app.url}${one.path}/contestacao`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: app.url },
      body: form,
    });
    expect(sent.status).toBe(303);
    await staff.reaches(one.debtId, 'the dispute', ({ status }) => status === 'DISPUTED');
    expect((await list(one)).body.code).toBe('debt_state');
    expect((await settle(one)).body.status).toBe('PAID');
    expect((await list(one)).body.code).toBe('debt_state');
    expect(await waiting(one)).toEqual(['rights']);
  });
});
