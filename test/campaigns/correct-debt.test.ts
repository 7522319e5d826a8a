import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp({ roles: ['api'] }));
const client = await app.newClient();
const campaignId = await client.createCampaign();
await client.importJson(campaignId, [
  debtInput(1, { debtorPhones: ['+5511980000001', '+5511980000002'], debtorEmails: ['a@x.com.br', 'b@x.com.br'] }),
]);
const id: string = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0].id;

const patch = (body: unknown, of = id) => client.call('PATCH', `/api/debts/${of}`, body);

describe('PATCH /api/debts/:id', () => {
  it('answers with the corrected debt', async () => {
    const { status, body } = await patch({
      debtorPhone: '(11) 98000-0009',
      debtorEmail: 'C@x.com.br',
      dueDate: '2026-10-06',
      originalAmount: 99.9,
      debtorName: 'ignored',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      debtorName: debtInput(1).debtorName,
      debtorPhone: '+5511980000009',
      debtorPhones: ['+5511980000009', '+5511980000001', '+5511980000002'].filter((phone) =>
        body.debtorPhones.includes(phone),
      ),
      dueDate: '2026-10-06',
      originalAmount: 99.9,
    });
    expect(body.debtorEmail.toLowerCase()).toBe('c@x.com.br');
    expect(body.debtorEmails).toEqual([body.debtorEmail, 'b@x.com.br']);
    const { timeline } = (await client.call('GET', `/api/debts/${body.id}`)).body;
    expect(timeline.filter(({ kind }: { kind: string }) => kind === 'debt_changed')).toMatchObject(
      ['debtorPhone', 'debtorEmail', 'dueDate', 'originalAmount'].map((field) => ({ field, reason: 'corrected' })),
    );
  });

  it('removes every e-mail address with null', async () => {
    const { body } = await patch({ debtorEmail: null });
    expect(body).toMatchObject({ debtorEmail: null, debtorEmails: [] });
  });

  it('tells all problems of the body at once', async () => {
    const { status, body } = await patch({
      debtorPhone: '123',
      debtorEmail: 'nobody',
      dueDate: '2026-02-30',
      originalAmount: 0,
    });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
      ['/debtorPhone', 'phone_invalid'],
      ['/debtorEmail', 'email_invalid'],
      ['/dueDate', 'date_invalid'],
      ['/originalAmount', 'amount_invalid'],
    ]);
    expect((await patch({ dueDate: '2099-01-01' })).body.errors).toMatchObject([{ code: 'date_invalid' }]);
  });

  it.each(['debtorPhone', 'dueDate', 'originalAmount'])('does not remove %s', async (field) => {
    expect(await patch({ [field]: null })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: `/${field}`, code: 'invalid_type' }] },
    });
  });

  it('does not know the debts of others', async () => {
    const other = await app.newClient();
    expect(await other.call('PATCH', `/api/debts/${id}`, { dueDate: '2026-10-07' })).toMatchObject({ status: 404 });
    expect(await patch({ dueDate: '2026-10-07' }, 'x')).toMatchObject({ status: 404 });
  });
});
