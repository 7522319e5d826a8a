import { describe, expect, it } from '@jest/globals';
import { addDays, weekday } from '../../src/kernel/calendar.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { agreementsOf, codeIn, debtorPages, NOTICE, type Person, type Seen, today } from './pages.ts';

const app = await opened(startCampaignsApp());
const { newPerson, ask, press, agreed, personPage, payCode } = debtorPages(app);

describe('an instalment that the debtor moves', () => {
  const policy = { graceMoves: 2 };
  const move = (page: string, instalment: number | string, to: string, form: Record<string, string> = {}) =>
    press(`${page}/agreement/move`, { instalment: String(instalment), to, ...form });
  const dueDates = async (person: Person) => (await agreementsOf(person))[0]!.instalments.map(({ dueDate }) => dueDate);
  /** A day that is a business day or is moved to one, both within the ten days. */
  const inAWeek = (from: string) => addDays(from, 4);
  const noticeOf = async ({ location }: Seen) => /role="status">([^<]+)</.exec((await ask(location!)).text)?.[1];

  it('is due on the next business day, on each page, and is told on each debt', async () => {
    const person = await agreed([{}, {}], { policy });
    const { agreement, page, ids, client } = person;
    const [first, second] = agreement.instalments;
    expect((await ask(page)).text).toContain(`action="${page}/agreement/move"`);
    const answer = await move(page, 1, inAWeek(first!.dueDate));
    expect(answer).toMatchObject({ status: 303, location: NOTICE(page) });
    expect(await noticeOf(answer)).toContain('nova data');
    const [moved, next] = await dueDates(person);
    expect(moved! >= inAWeek(first!.dueDate)).toBe(true);
    expect([0, 6]).not.toContain(weekday(moved!));
    expect(next).toBe(second!.dueDate);
    for (const id of ids) {
      const { timeline } = (await client.call('GET', `/api/debts/${id}`)).body;
      expect(timeline.filter(({ kind }: { kind: string }) => kind === 'agreement_changed')).toMatchObject([
        { change: 'moved', instalment: 1, from: first!.dueDate, to: moved },
      ]);
    }
    const signals = await app.query(`select signal from outbox where workflow_id = $1`, [`agreement-${agreement.id}`]);
    expect(signals.length).toBeGreaterThan(0);
  });

  it('is told of again, as nothing was said about the new day', async () => {
    const { agreement, page } = await agreed([{}], { policy });
    const notice = (instalment: number) => ({ instalment, notice: 'warning', on: today });
    await app.query('update agreements set notices = $2 where id = $1', [
      agreement.id,
      JSON.stringify([notice(1), notice(2)]),
    ]);
    await move(page, 1, inAWeek(agreement.instalments[0]!.dueDate));
    const [row] = await app.query('select notices from agreements where id = $1', [agreement.id]);
    expect(row).toEqual({ notices: [notice(2)] });
  });

  it('costs one move however often the form is sent, and none is possible without a move', async () => {
    const person = await agreed([{}], { policy: { graceMoves: 1 } });
    const { agreement, page } = person;
    const to = inAWeek(agreement.instalments[0]!.dueDate);
    await Promise.all([move(page, 1, to), move(page, 1, to)]);
    const [row] = await app.query('select moves_left from agreements where id = $1', [agreement.id]);
    expect(row).toEqual({ moves_left: 0 });
    expect((await ask(page)).text).not.toContain('/agreement/move');
    const dates = await dueDates(person);
    expect(await noticeOf(await move(page, 2, inAWeek(dates[1]!)))).toContain('não é possível');
    expect(await dueDates(person)).toEqual(dates);
  });

  it('stays where it is for a day that is too late, too early, or after the next one, and once it is paid', async () => {
    const person = await agreed([{}], { policy });
    const { page } = person;
    const dates = await dueDates(person);
    for (const to of [addDays(dates[0]!, 11), addDays(dates[0]!, -1), addDays(today, -1), dates[2]!, '9999-12-31']) {
      expect(await noticeOf(await move(page, 1, to))).toContain('não é possível');
    }
    expect(await noticeOf(await move(page, 99, inAWeek(dates[0]!)))).toContain('não é possível');
    await payCode(codeIn(await ask(page)));
    expect(await noticeOf(await move(page, 1, inAWeek(dates[0]!)))).toContain('não é possível');
    expect(await dueDates(person)).toEqual(dates);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['no fields', {}, ['/instalment', '/to']],
    ['a number that is none', { instalment: 'dois', to: '2026-12-10' }, ['/instalment']],
    ['a date that does not exist', { instalment: '1', to: '2026-02-30' }, ['/to']],
    ['a date as Brazilians write it', { instalment: '1', to: '10/12/2026' }, ['/to']],
  ])('is refused as nonsense with %s, at its field', async (_, form, pointers) => {
    const { page } = await agreed([{}], { policy });
    const { status, text } = await press(`${page}/agreement/move`, form, { origin: app.url, accept: '*/*' });
    expect(status).toBe(400);
    const { errors } = JSON.parse(text) as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('can be moved on the page of the person, by the protocol where there are several', async () => {
    const person = await agreed([{}, {}], { policy });
    const ofPerson = await personPage(person.page);
    const { protocol, instalments } = person.agreement;
    const to = inAWeek(instalments[0]!.dueDate);
    expect((await move(ofPerson, 1, to, { protocol: 'AC-2026-OUTRO' })).status).toBe(404);
    expect(await move(ofPerson, 1, to, { protocol })).toMatchObject({ status: 303, location: NOTICE(ofPerson) });
    expect((await dueDates(person))[0]).not.toBe(instalments[0]!.dueDate);
  });

  it('needs an agreement', async () => {
    const { page } = await newPerson();
    expect((await move(page, 1, addDays(today, 3))).status).toBe(404);
  });
});
