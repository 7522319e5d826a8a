import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays } from '../../src/kernel/calendar.ts';
import { formatReais } from '../../src/kernel/money.ts';
import { formatCalendarDate } from '../../src/kernel/texts/format.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { codeIn, debtorPages, today } from './pages.ts';

const app = await opened(startCampaignsApp());
const { ask, moveClock, agreed, personPage, payCode, statusOf } = debtorPages(app);

describe('the page of a debt in an agreement', () => {
  it('has the agreement, its instalments and the code of the next one, on the page of each of its debts', async () => {
    const { ids, agreement, page } = await agreed([{}, {}]);
    const shown = await ask(page);
    expect(shown.text).toContain('<h1>Seu acordo</h1>');
    expect(shown.text).toContain(agreement.protocol);
    expect(shown.text).toMatch(new RegExp(`href="[^"]*${agreement.protocol}[^"]*"`));
    for (const { dueDate } of agreement.instalments) {
      expect(shown.text).toContain(`vence em ${formatCalendarDate(dueDate)}`);
    }
    expect(shown.text).toContain(
      `<p class="amount">${formatReais(Math.round(agreement.instalments[0]!.amount * 100))}`,
    );
    const code = codeIn(shown);
    expect(code).toMatch(/^0002/);
    expect(codeIn(await ask(`/checkout/${ids[1]}`))).toBe(code);
    expect(shown.text).not.toContain(`${page}/offers`);
    for (const button of ['said-paid', 'dispute', 'opt-out']) expect(shown.text).toContain(`${page}/${button}`);
    const charges = await app.query('select instalment from charges where debt_id = any($1) and agreement_id is null', [
      ids,
    ]);
    expect(charges).toEqual([]);
  });

  it('has a code for everything that is open', async () => {
    const { agreement, page } = await agreed();
    const next = await ask(page);
    expect(next.text).toContain(`href="${page}?quitar=tudo"`);
    const all = await ask(`${page}?quitar=tudo`);
    expect(all.text).toContain(`<p class="amount">${formatReais(Math.round(agreement.total * 100))}`);
    expect(codeIn(all)).not.toBe(codeIn(next));
    expect(codeIn(await ask(page))).toBe(codeIn(next));
  });

  it('says what was paid, also to the script that waits for it', async () => {
    const { ids, page } = await agreed([{}, {}]);
    const next = codeIn(await ask(page));
    const path = (id: string) => `/api/checkout/${id}/agreement/status`;
    const waitedFor = async () => Promise.all(ids.map(async (id) => (await app.get(path(id))).body));
    expect((await ask(page)).text).toContain(`data-status-path="${path(ids[0]!)}"`);
    expect(await waitedFor()).toEqual([{ status: 'PENDING' }, { status: 'PENDING' }]);
    expect((await app.get(path(ids[0]!))).headers.get('cache-control')).toBe('no-store');
    // A code for the whole rest that was made meanwhile hides no payment.
    await ask(`${page}?quitar=tudo`);
    await payCode(next);
    expect(await waitedFor()).toEqual([{ status: 'APPROVED' }, { status: 'APPROVED' }]);
    const after = await ask(page);
    expect(after.text).toContain(`paga em ${formatCalendarDate(today)}`);
    expect(after.text).toContain('2ª de 3 parcelas');
    expect(after.text).toMatch(/data-status="PENDING"/);
    expect(await waitedFor()).toEqual([{ status: 'PENDING' }, { status: 'PENDING' }]);
    await payCode(codeIn(await ask(`${page}?quitar=tudo`)));
    const done = await ask(page);
    expect(done.text).toContain('Acordo pago');
    expect(done.text).toMatch(/data-status="APPROVED" data-receipt="waiting"/);
  });

  it.each(['APPROVED', 'REJECTED'])('leaves the payment of its debts PENDING when a code is %s', async (status) => {
    const { client, ids, page } = await agreed([{}, {}]);
    const code = codeIn(await ask(page));
    if (status === 'APPROVED') await payCode(code);
    else await app.query('update charges set status = $2 where br_code = $1', [code, status]);
    for (const id of ids) {
      expect((await client.call('GET', `/api/payments/${id}`)).body.status).toBe('PENDING');
      expect(await statusOf(id)).toBe('PENDING');
    }
  });

  it('is asked about by its script also when the agreement has ended meanwhile', async () => {
    const { ids } = await agreed();
    const path = `/api/checkout/${ids[0]}/agreement/status`;
    for (const [status, shown] of [
      ['IN_COLLECTION', 'PENDING'],
      ['PAID', 'APPROVED'],
      ['STOPPED', 'CANCELLED'],
    ]) {
      await app.query('update debts set status = $2 where id = $1', [ids[0], status]);
      expect((await app.get(path)).body).toEqual({ status: shown });
    }
    for (const unknown of [randomUUID(), 'nonsense']) {
      expect((await app.get(`/api/checkout/${unknown}/agreement/status`)).status).toBe(404);
    }
  });

  it('says which instalment is late', async () => {
    const { agreement, ids, page } = await agreed();
    await moveClock(ids, 40);
    const first = agreement.instalments[0]!;
    expect((await ask(page)).text).toContain(`em atraso, venceu em ${formatCalendarDate(first.dueDate)}`);
  });

  it('stays when the agreement is stopped', async () => {
    const { agreement, page } = await agreed();
    const before = await ask(page);
    await app.query(`update agreements set stopped_because = 'dispute' where id = $1`, [agreement.id]);
    expect(codeIn(await ask(page))).toBe(codeIn(before));
  });

  it('is shown once on the page of the person, above the debts that came later', async () => {
    const { client, cpf, agreement, page } = await agreed([{}, {}]);
    const campaignId = await client.createCampaign();
    const later = debtInput(95_000, { debtorCpf: cpf, originalAmount: 77, dueDate: addDays(today, -30) });
    await client.importJson(campaignId, [later]);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const ofPerson = await personPage(page);
    const { text } = await ask(ofPerson);
    expect(text.split('Seu acordo</h1>')).toHaveLength(2);
    expect(text.indexOf(agreement.protocol)).toBeLessThan(text.indexOf(`Conta ${later.invoiceId}: R$ 77,00`));
    expect(text).toContain('Uma conta fora do acordo');
    expect(text).toContain(`href="${ofPerson}/offers"`);
    expect((await ask(`${ofPerson}/offers`)).text).toContain(`Conta ${later.invoiceId}`);
  });
});
