import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createUnsubscribeLinks, unsubscribe } from '../../src/modules/messaging/use-cases/unsubscribe.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { type MadeDebt, openEngine } from '../../testing/engine.ts';
import { startHttpHarness } from '../../testing/http-harness.ts';
import { opened } from '../../testing/opened.ts';

const ORIGIN = 'https://quita.example';
const links = createUnsubscribeLinks({ secrets: ['new-secret', 'old-secret'], publicUrl: ORIGIN });

const engine = await opened(openEngine());
const api = await opened(openDatabase({ url: engine.url, role: 'quita_app', poolSize: 2 }));
const http = await opened(
  startHttpHarness({
    services: { unsubscribe: unsubscribe({ ...engine.deps, db: api, unsubscribeLinks: links }) },
  }),
);

const linkOf = (debtId: string, messageId: string = randomUUID()) => ({ debtId, messageId });
const pathOf = (debtId: string, messageId?: string): string =>
  links.url(linkOf(debtId, messageId)).slice(ORIGIN.length);
/** As a mail program posts by itself: from no page of ours, without a cookie. */
const click = (
  path: string,
  body: string | URLSearchParams | FormData = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
) => http.call(path, { method: 'POST', body, redirect: 'manual', headers: { origin: 'https://mail.example' } });
const received = (debt: MadeDebt) =>
  engine.query<{ channel: string; text: string }>(
    debt,
    `select channel, text from messages where debt_id = $1 and direction = 'in'`,
    [debt.id],
  );

describe('the address in List-Unsubscribe', () => {
  it('shows a page that asks, and changes nothing, however often it is opened', async () => {
    const debt = await engine.debt();
    const path = pathOf(debt.id);
    for (let time = 0; time < 2; time += 1) {
      const answer = await http.call(path);
      const page = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(page).toContain('<form method="post"><button>Não quero mais receber mensagens</button></form>');
      expect(page).toContain('<a href="/verdade">');
    }
    expect(await received(debt)).toEqual([]);
    expect(await engine.status(debt)).toBe('QUEUED');
  });

  it.each([
    ['a form', () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
    [
      'a form of several parts',
      () => {
        const form = new FormData();
        form.set('List-Unsubscribe', 'One-Click');
        return form;
      },
    ],
    ['the button of the page', () => ''],
  ])('ends the messages by one post of %s', async (_what, body) => {
    const debt = await engine.debt();
    const path = pathOf(debt.id);
    const answer = await click(path, body());
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Pedido recebido');
    await engine.services.answerDebtor(engine.request(debt));
    expect(await engine.status(debt)).toBe('OPTED_OUT');
    expect((await click(path, body())).status).toBe(200);
    expect(await received(debt)).toEqual([{ channel: 'email', text: 'PARAR. Não quero mais receber mensagens.' }]);
  });

  it('leads to the rights of the person before and after, unless a stranger may hold the link', async () => {
    const debt = await engine.debt();
    const path = pathOf(debt.id);
    const links = async (): Promise<string[]> => {
      const pages = [await http.call(path), await click(path)];
      return (await Promise.all(pages.map((page) => page.text()))).flatMap(
        (page) => /href="(\/direitos\/[0-9a-f-]{36})"/.exec(page)?.[1] ?? [],
      );
    };
    const [before, after] = await links();
    const [page] = await engine.query<{ id: string }>(debt, 'select id from debtor_pages');
    expect([before, after]).toEqual([`/direitos/${page!.id}`, `/direitos/${page!.id}`]);
    await engine.query(debt, 'update debts set page_closed_at = now() where id = $1', [debt.id]);
    expect(await links()).toEqual([]);
  });

  it('refuses what nobody signed', async () => {
    const [debt, other] = [await engine.debt(), await engine.debt()];
    const messageId = randomUUID();
    const path = pathOf(debt.id, messageId);
    for (const forged of [
      path.replace(debt.id, other.id),
      path.replace(messageId, randomUUID()),
      path.replace(/sig=.*/, 'sig='),
      path.replace(/&sig=.*/, ''),
      `${path}&debt=${other.id}`,
      path.replace(/\?.*/, ''),
    ]) {
      for (const answer of [await http.call(forged), await click(forged)]) {
        expect(answer.status).toBe(401);
        expect(await answer.json()).toMatchObject({ code: 'signature_invalid' });
      }
    }
    expect([...(await received(debt)), ...(await received(other))]).toEqual([]);
  });

  it('works with a link that a retired secret has signed, and is 404 for a debt that does not exist', async () => {
    const debt = await engine.debt();
    const old = createUnsubscribeLinks({ secrets: ['old-secret'], publicUrl: ORIGIN });
    expect((await click(old.url(linkOf(debt.id)).slice(ORIGIN.length))).status).toBe(200);
    expect(await received(debt)).toHaveLength(1);
    expect((await click(pathOf(randomUUID()))).status).toBe(404);
  });
});
