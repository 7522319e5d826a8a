import { hash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays } from '../../src/kernel/calendar.ts';
import { formatReais } from '../../src/kernel/money.ts';
import { formatCalendarDate } from '../../src/kernel/texts/format.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { acceptLinks, agreementsOf, debtorPages, NOTICE, type Seen, today } from './pages.ts';

const app = await opened(startCampaignsApp());
const { newPerson, ask, press, offersOf, moveClock, personPage } = debtorPages(app);

describe('the way to the offers', () => {
  it('is on the page where offers can be made, and opening the page makes none', async () => {
    const { page, ids } = await newPerson([{}, {}]);
    const offers = async () => app.query('select id from offers where debt_id = any($1)', [ids]);
    expect((await ask(page)).text).toContain(`href="${page}/offers"`);
    const ofPerson = await personPage(page);
    expect((await ask(ofPerson)).text).toContain(`href="${ofPerson}/offers"`);
    expect(await offers()).toHaveLength(0);
    expect(await offersOf(page)).toHaveLength(3);
    expect(await offersOf(ofPerson)).toHaveLength(3);
    expect(await offers()).toHaveLength(3);
  });

  it.each<[string, object | null, string | null]>([
    ['without a policy', null, null],
    ['with a dispute', {}, `update debts set status = 'DISPUTED' where id = $1`],
    ['above the amount about which a person decides', { personAbove: 500 }, null],
  ])('is not there %s, and the page of the offers says nothing about why', async (_, policy, change) => {
    const { page, ids } = await newPerson([{}], policy);
    if (change !== null) await app.query(change, [ids[0]]);
    expect((await ask(page)).text).not.toContain('/offers');
    const { status, text } = await ask(`${page}/offers`);
    expect(status).toBe(200);
    expect(text).toContain('No momento não há opções');
    expect(acceptLinks({ text } as Seen)).toEqual([]);
    expect(text).not.toMatch(/disput|anális|limite|política/i);
  });
});

describe('GET /checkout/:debtId/offers', () => {
  it('shows what each offer is, with every date and amount, and is not stored', async () => {
    const { page, client, ids } = await newPerson([{}, { dueDate: addDays(today, -20), originalAmount: 200 }]);
    const { status, headers, text } = await ask(`${page}/offers`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const { items } = (await client.call('GET', `/api/debts/${ids[0]}/offers`)).body;
    expect(items).toHaveLength(3);
    expect(text).toContain('Opção 1: à vista com desconto');
    expect(text).toContain(`Opção 2: em ${items[1].instalments.length} vezes com desconto`);
    expect(text).toContain('Opção 3: em 12 vezes</h2>');
    for (const offer of items) {
      expect(text).toContain(formatReais(Math.round(offer.total * 100)));
      expect(text).toContain(formatCalendarDate(offer.validUntil));
      for (const { dueDate, amount } of offer.instalments) {
        const shown = `${formatReais(Math.round(amount * 100))} até ${formatCalendarDate(dueDate)}`;
        expect(text.replaceAll(/<[^>]*>/g, '')).toContain(shown);
      }
    }
    const invoices = await app.query<{ invoice_id: string }>('select invoice_id from debts where id = any($1)', [ids]);
    for (const { invoice_id } of invoices) expect(text).toContain(`Conta ${invoice_id}`);
  });
});

describe('the acceptance of an offer', () => {
  it('asks first with the text that it stores, and accepts once however often it is pressed', async () => {
    const person = await newPerson([{}, {}]);
    const path = (await offersOf(person.page))[1]!;
    const asked = await ask(path);
    expect(asked.status).toBe(200);
    expect(await agreementsOf(person)).toEqual([]);
    const pressed = await Promise.all([press(path), press(path)]);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    for (const one of [...pressed, await press(path)]) expect(one.location).toEqual(NOTICE(person.page));
    const [agreement, ...others] = await agreementsOf(person);
    expect(others).toEqual([]);
    expect([...agreement!.debtIds].sort()).toEqual([...person.ids].sort());
    const [stored] = await app.query<Record<string, string>>(
      'select accepted_by, accepted_in, accepted_text, accepted_text_hash from agreements where id = $1',
      [agreement!.id],
    );
    expect(stored).toMatchObject({ accepted_by: 'page', accepted_in: person.ids[0] });
    const shown = /<div class="agreed">(.*)<\/div>/.exec(asked.text)?.[1] ?? '';
    expect([...shown.matchAll(/<p>([^<]*)<\/p>/g)].map(([, line]) => line).join('\n')).toBe(stored!['accepted_text']);
    expect(stored!['accepted_text_hash']).toBe(hash('sha256', stored!['accepted_text']!));
    expect(await ask(path)).toMatchObject({ status: 303, location: person.page });
    const after = await ask(pressed[0]!.location!);
    expect(after.text).toContain('role="status">');
  });

  it('is possible on the page of the person', async () => {
    const person = await newPerson([{}, {}]);
    const ofPerson = await personPage(person.page);
    const path = (await offersOf(ofPerson))[0]!;
    expect((await ask(path)).text).toContain('class="agreed"');
    expect(await press(path)).toMatchObject({ status: 303, location: NOTICE(ofPerson) });
    const [agreement] = await agreementsOf(person);
    const [stored] = await app.query('select accepted_in from agreements where id = $1', [agreement!.id]);
    expect(stored).toEqual({ accepted_in: ofPerson.slice('/pay/'.length) });
  });

  it('of one offer is answered with the agreement when another came first', async () => {
    const person = await newPerson();
    const [one, two] = await offersOf(person.page);
    await press(one!);
    const second = await press(two!);
    expect(second.location).toEqual(NOTICE(person.page));
    expect((await ask(second.location!)).text).toContain('já tem um acordo');
    expect(await agreementsOf(person)).toHaveLength(1);
  });

  it('of an offer that ended leads to new ones', async () => {
    const person = await newPerson();
    const path = (await offersOf(person.page))[0]!;
    await moveClock(person.ids, 6);
    expect(await ask(path)).toMatchObject({ status: 303, location: NOTICE(`${person.page}/offers`) });
    const { status, location } = await press(path);
    expect([status, location]).toEqual([303, NOTICE(`${person.page}/offers`)]);
    const { text } = await ask(location!);
    expect(text).toContain('já não vale mais');
    expect(text).toContain('Opção 4:');
    expect(await agreementsOf(person)).toEqual([]);
  });

  it('tells a program by a code that an offer has ended or was accepted before', async () => {
    const person = await newPerson();
    const [one, two] = await offersOf(person.page);
    const call = async (path: string) => {
      const { status, text } = await press(path, undefined, { origin: app.url, accept: '*/*' });
      return [status, status === 409 ? JSON.parse(text).code : null];
    };
    await moveClock(person.ids, 6);
    expect(await call(one!)).toEqual([409, 'offer_ended']);
    await moveClock(person.ids, 0);
    expect(await call(one!)).toEqual([303, null]);
    for (const path of [one!, two!]) expect(await call(path)).toEqual([409, 'offer_ended']);
    expect(await agreementsOf(person)).toHaveLength(1);
  });

  describe.each(['CANCELLED', 'PAUSED'])('while the client is %s', (status) => {
    const isPossible = status === 'PAUSED';

    it(isPossible ? 'is possible, because the word that was given stands' : 'is not possible any more', async () => {
      const person = await newPerson();
      const { items } = (await person.client.call('GET', `/api/debts/${person.ids[0]}/offers`)).body;
      const path = (await offersOf(person.page))[0]!;
      await app.query('update clients set status = $2 where id = $1', [person.client.id, status]);
      const byStaff = await person.client.call('POST', `/api/debts/${person.ids[0]}/offers/${items[0].id}/accept`, {});
      expect([byStaff.status, byStaff.body.code]).toEqual([403, 'account_inactive']);
      expect((await ask(person.page)).text.includes(`${person.page}/offers`)).toBe(isPossible);
      const question = await ask(path);
      expect(question.text.includes('class="agreed"')).toBe(isPossible);
      const pressed = await press(path);
      const agreements = await app.query('select status from agreements where client_id = $1', [person.client.id]);
      expect(agreements).toEqual(isPossible ? [{ status: 'ACTIVE' }] : []);
      expect(pressed.location).toEqual(NOTICE(isPossible ? person.page : `${person.page}/offers`));
      const { text } = await ask(pressed.location!);
      if (isPossible) return;
      expect(text).toContain('role="status">');
      // Nothing is promised where there is nothing to choose from.
      expect(text).not.toContain('Veja abaixo');
      expect(text).toContain('No momento não há opções');
      expect(acceptLinks({ text } as Seen)).toEqual([]);
    });
  });

  it('of an offer to somebody else does not exist', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const ofClient = await app.query<{ id: string }>('select id from debts where id = $1', [person.ids[0]]);
    expect(ofClient).toHaveLength(1);
    const theirs = (await offersOf(other.page))[0]!.replace(other.page, person.page);
    for (const path of [theirs, `${person.page}/offers/${randomUUID()}/accept`, `${person.page}/offers/1/accept`]) {
      expect((await ask(path)).status).toBe(404);
      expect((await press(path)).status).toBe(404);
    }
    expect([await agreementsOf(person), await agreementsOf(other)]).toEqual([[], []]);
  });

  it('of an offer to another person of the same client does not exist', async () => {
    const person = await newPerson();
    const campaignId = await person.client.createCampaign();
    const input = debtInput(90_000, {
      debtorCpf: cpfOf(800_000_000),
      dueDate: addDays(today, -50),
    });
    await person.client.importJson(campaignId, [input]);
    await person.client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const { items } = (await person.client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
    const theirs = (await offersOf(`/checkout/${items[0].id}`))[0]!;
    const path = theirs.replace(`/checkout/${items[0].id}`, person.page);
    expect([(await ask(path)).status, (await press(path)).status]).toEqual([404, 404]);
    expect(await agreementsOf(person)).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('is refused from %s', async (_, headers) => {
    const person = await newPerson();
    const path = (await offersOf(person.page))[0]!;
    expect((await press(path, undefined, headers)).status).toBe(403);
    expect((await press(`${person.page}/agreement/move`, {}, headers)).status).toBe(403);
    expect(await agreementsOf(person)).toEqual([]);
  });

  it.each([
    ['closed', 'update debts set page_closed_at = now() where id = $1'],
    ['of a wrong person', `update debts set page_closed_at = now(), wrong_person_at = now() where id = $1`],
  ])('does not exist on a page that is %s', async (_, change) => {
    const person = await newPerson();
    const path = (await offersOf(person.page))[0]!;
    await app.query(change, [person.ids[0]]);
    for (const address of [`${person.page}/offers`, path]) expect((await ask(address)).status).toBe(404);
    for (const address of [path, `${person.page}/agreement/move`]) {
      const form = { instalment: '1', to: today };
      expect((await press(address, form)).status).toBe(404);
    }
    expect(await agreementsOf(person)).toEqual([]);
  });

  it('is not possible any more once the debtor is erased', async () => {
    const person = await newPerson();
    const path = (await offersOf(person.page))[0]!;
    await app.query(`update debts set erased_at = now(), debtor_tax_id = '' where id = $1`, [person.ids[0]]);
    expect((await ask(`${person.page}/offers`)).text).toContain('No momento não há opções');
    expect((await press(path)).status).toBe(404);
    expect(await agreementsOf(person)).toEqual([]);
  });

  it('is limited for each page', async () => {
    const person = await newPerson();
    const path = `${person.page}/offers/${randomUUID()}/accept`;
    const statuses = [];
    for (let time = 0; time < 11; time++) statuses.push((await press(path)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
  });
});
