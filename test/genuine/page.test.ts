import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { wholeText } from '../../src/modules/genuine/rules/content.ts';
import { messageEmail } from '../../src/modules/messaging/texts/message-email.ts';
import { formsOfMail } from '../../src/platform/mail/email.ts';
import { agreementSignature, newAgreement } from '../../testing/agreements-harness.ts';
import { type App, startApp } from '../../testing/app.ts';
import { startBrowser } from '../../testing/browser.ts';
import { opened } from '../../testing/opened.ts';
import { violations } from '../../testing/pages.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';

const PUBLIC_URL = 'https://quita.example';
const app = await opened(startApp({ env: { PUBLIC_URL, TRUST_PROXY: '1' } }));
const browser = await opened(startBrowser());

let last = 0;
/** An address from which nobody has asked. */
const newAddress = (): string => {
  last += 1;
  return `198.51.${100 + (last >> 8)}.${last & 255}`;
};
const ask = (content: unknown, from = newAddress(), at: Pick<App, 'call'> = app) =>
  at.call('POST', '/api/genuine', { body: { content }, headers: { 'x-forwarded-for': from } });
const NO = { genuine: false, kind: null, creditor: null, month: null, sandbox: false };

async function newDebt(sandbox = false): Promise<string> {
  const [client] = await app.query<{ id: string }>(
    `insert into clients (name, email, plan, status, cnpj, trial_ends_at)
     values ('Escola Aurora', $1, 'GROWTH', 'ACTIVE', '11222333000181', now()) returning id`,
    [`f@${randomUUID()}.com.br`],
  );
  return (await paidDebt(app.query, client!.id, { sandbox })).debtId;
}

const linkTo = (debtId: string): string => `${PUBLIC_URL}/checkout/${debtId}`;

describe('POST /api/genuine', () => {
  it('still knows the page of a person that was closed, because the address was sent from here', async () => {
    const debtId = await newDebt();
    const [page] = await app.query<{ id: string }>(
      `insert into debtor_pages (client_id, debtor_tax_id, sandbox)
       select client_id, debtor_tax_id, sandbox from debts where id = $1 returning id`,
      [debtId],
    );
    const address = `${PUBLIC_URL}/direitos/${page!.id}`;
    const open = (await ask(address)).body;
    expect(open).toMatchObject({ genuine: true, kind: 'link', creditor: { name: 'Escola Aurora' } });
    await app.query('update debtor_pages set closed_at = now() where id = $1', [page!.id]);
    expect((await app.get(`/direitos/${page!.id}`)).status).toBe(404);
    expect((await ask(address)).body).toEqual(open);
  });

  it('knows the addresses of the pages below that of a debt, of a person and of rights, and no others', async () => {
    const debtId = await newDebt();
    const [page] = await app.query<{ id: string }>(
      `insert into debtor_pages (client_id, debtor_tax_id, sandbox)
       select client_id, debtor_tax_id, sandbox from debts where id = $1 returning id`,
      [debtId],
    );
    const pages = [`/checkout/${debtId}`, `/pay/${page!.id}`];
    const proof = `v=${'0'.repeat(7)}.${'a'.repeat(43)}`;
    const known = [
      ...[
        '/offers',
        `/offers?aviso=${randomUUID()}`,
        `/offers/${randomUUID()}/accept`,
        '/dispute',
        '/opt-out/',
      ].flatMap((below) => pages.map((address) => address + below)),
      ...['/abrir', '/nao-e-meu', `?${proof}`, `?${proof}&format=pdf`].map((below) => `/direitos/${page!.id}${below}`),
    ];
    for (const path of known) {
      expect([path, (await ask(`${PUBLIC_URL}${path}`)).body]).toMatchObject([path, { genuine: true, kind: 'link' }]);
    }
    const unknown = [
      ...['/offer', '/offers/x/accept', `/offers?next=${randomUUID()}`, '/dispute/x', '/opt-out?x=1', '/abrir'].flatMap(
        (below) => pages.map((address) => address + below),
      ),
      `/checkout/${randomUUID()}/offers`,
      `/pay/${randomUUID()}/dispute`,
      `/direitos/${page!.id}/offers`,
    ];
    for (const path of unknown) expect([path, (await ask(`${PUBLIC_URL}${path}`)).body]).toEqual([path, NO]);
    expect((await ask(`https://quita.evil.example/checkout/${debtId}/offers`)).body).toEqual(NO);
  });

  it('answers what a content is and whose, and no more', async () => {
    const debtId = await newDebt();
    const { status, body, headers } = await ask(linkTo(debtId));
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      genuine: true,
      kind: 'link',
      creditor: { name: 'Escola Aurora', cnpj: '11222333000181' },
      month: null,
      sandbox: false,
    });
    expect((await ask(linkTo(randomUUID()))).body).toEqual(NO);
    expect((await ask(`Pague: ${linkTo(debtId)}`)).body).toEqual(NO);
  });

  it('refuses what is no text, empty, too long or has NUL, and answers anything else as nothing', async () => {
    for (const content of [undefined, 1, null, ['a'], '', ' \n', 'x'.repeat(4_097), 'a\u0000b']) {
      const { status, body } = await ask(content);
      expect([status, body['code']]).toEqual([400, 'validation_failed']);
    }
    for (const content of ['😀'.repeat(2_048), "'; drop table sent_texts; --"])
      expect(await ask(content)).toMatchObject({ status: 200, body: NO });
  });

  it('keeps nothing of what was pasted, neither in the log nor in the database', async () => {
    const secret = `segredo-${randomUUID()}`;
    const before = await app.query('select count(*) from sent_texts');
    await ask(`Olá, Maria ${secret}`);
    await ask(`${secret}@example.com`);
    expect(app.logText()).not.toContain(secret);
    expect(await app.query('select count(*) from sent_texts')).toEqual(before);
    const rates = await app.query<{ key: string }>(`select key from rate_limits where key like 'genuine%'`);
    expect(rates.length).toBeGreaterThan(0);
    expect(JSON.stringify(rates)).not.toContain(secret);
  });

  it('lets an address ask twenty times an hour, over all processes and both ways of asking', async () => {
    const other = await startApp({ env: { PUBLIC_URL, TRUST_PROXY: '1' }, database: app.database });
    try {
      const from = newAddress();
      const answers: number[] = [];
      for (let time = 0; time < 19; time += 1)
        answers.push((await ask('nada', from, time % 2 === 0 ? app : other)).status);
      expect(new Set(answers)).toEqual(new Set([200]));
      const page = await fetch(`${app.url}/verdade`, {
        method: 'POST',
        headers: { origin: app.url, 'x-forwarded-for': from },
        body: new URLSearchParams({ content: 'nada' }),
      });
      expect(page.status).toBe(200);
      for (const at of [app, other]) {
        const refused = await ask('nada', from, at);
        expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
      }
      // What a caller writes to the left of the proxy's entry is no other address, and a household is one.
      expect((await ask('nada', `203.0.113.9, ${from}`)).status).toBe(429);
      for (let time = 0; time < 20; time += 1) await ask('nada', `2001:db8:1:2::${time + 1}`);
      expect((await ask('nada', '2001:db8:1:2:ffff::1')).status).toBe(429);
      expect((await ask('nada', '2001:db8:1:3::1')).status).toBe(200);
      const later = await fetch(`${app.url}/verdade`, {
        method: 'POST',
        headers: { origin: app.url, 'x-forwarded-for': from, accept: 'text/html' },
        body: new URLSearchParams({ content: 'nada' }),
      });
      expect(later.status).toBe(429);
      expect(await later.text()).toMatch(/Espere \d\d minutos/);
    } finally {
      await other.close();
    }
  });

  it('believes no forwarded address where no proxy is configured', async () => {
    const bare = await startApp({ database: app.database });
    try {
      const statuses: number[] = [];
      for (let time = 0; time < 21; time += 1) statuses.push((await ask('nada', newAddress(), bare)).status);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await bare.close();
    }
  });
});

describe('the page “É verdade?”', () => {
  const pages: { readonly width: number; readonly colorScheme: 'light' | 'dark' }[] = [
    { width: 320, colorScheme: 'light' },
    { width: 1_280, colorScheme: 'dark' },
    { width: 320, colorScheme: 'dark' },
    { width: 1_280, colorScheme: 'light' },
  ];

  it.each(pages)(
    'works without script at %o, and axe finds nothing in any of its states',
    async ({ width, colorScheme }) => {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        locale: 'pt-BR',
        extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
      });
      try {
        const page = await context.newPage();
        const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
        const good = async (): Promise<void> => {
          expect(await violations(page)).toEqual([]);
          expect(await fits()).toBe(true);
          expect(await page.locator('script').count()).toBe(0);
        };
        const answer = await page.goto(`${app.url}/verdade`);
        expect(answer?.headers()).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        });
        await good();

        await submit(page, `${linkTo(await newDebt())}`);
        expect(await page.textContent('h1')).toBe('Sim, é verdade');
        expect(await page.textContent('.verdict')).toContain('Escola Aurora, CNPJ 11.222.333/0001-81');
        await good();

        await submit(page, '<script>alert(1)</script> Pague já');
        expect(await page.textContent('h1')).toBe('Não reconhecemos isto');
        for (const words of ['Não pague', 'delegacia', 'Procon', 'MED'])
          expect(await page.textContent('main')).toContain(words);
        // What was pasted stands nowhere on the page.
        expect(await page.content()).not.toContain('Pague já');
        await good();

        await submit(page, linkTo(await newDebt(true)));
        expect(await page.textContent('h1')).toBe('É só um teste');
        expect(await page.textContent('main')).not.toContain('Escola Aurora');
        await good();

        await submit(page, ' ');
        expect(await page.getByRole('alert').textContent()).not.toBe('');
        await good();
      } finally {
        await context.close();
      }
    },
  );

  it('would know a mail by all that a browser copies of it', async () => {
    const page = await browser.newPage();
    try {
      const text = `Olá, Íris <3 & "cia".\n\nVeja: ${linkTo(randomUUID())}.\nSem juros, 'agora'.`;
      const urls = { unsubscribeUrl: `${PUBLIC_URL}/parar?a=1&b=2`, rightsUrl: `${PUBLIC_URL}/direitos/x` };
      const creditorName = 'Água & Luz <Serviços>';
      const mail = messageEmail({ creditorName, text, purpose: 'collection', ...urls, publicUrl: PUBLIC_URL });
      await page.setContent(mail.html);
      const copied = await page.evaluate('getSelection().selectAllChildren(document.body), getSelection().toString()');
      expect(wholeText(String(copied))).toBe(wholeText(formsOfMail(mail)[1] ?? ''));
    } finally {
      await page.close();
    }
  });

  it('is filled and sent by the keyboard alone', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
    });
    try {
      const page = await context.newPage();
      await page.goto(`${app.url}/verdade`);
      await page.keyboard.press('Tab');
      await page.keyboard.type('nada');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Não reconhecemos isto' }).waitFor();
    } finally {
      await context.close();
    }
  });

  it('refuses other origins, and says what is wrong with an empty or a long text', async () => {
    const post = (origin: string, content: string) =>
      fetch(`${app.url}/verdade`, {
        method: 'POST',
        headers: { origin, 'x-forwarded-for': newAddress() },
        body: new URLSearchParams({ content }),
      });
    expect((await post('https://evil.example', 'nada')).status).toBe(403);
    expect(await (await post(app.url, '  ')).text()).toContain('role="alert"');
    expect(await (await post(app.url, 'ç'.repeat(4_097))).text()).toContain('mais de 4.096 caracteres');
    expect(await (await post(app.url, 'ç'.repeat(4_096))).text()).toContain('Não reconhecemos');
    expect(await (await post(app.url, '\u0000\ufffd')).text()).toContain('Não reconhecemos');
    expect((await post(app.url, 'x'.repeat(200_000))).status).toBe(413);
  });

  it('is linked from the pages of a debtor', async () => {
    const debtId = await newDebt(true);
    const [page] = await app.query<{ id: string; clientId: string }>(
      `insert into debtor_pages (client_id, debtor_tax_id, sandbox)
       select client_id, debtor_tax_id, sandbox from debts where id = $1 returning id, client_id as "clientId"`,
      [debtId],
    );
    const { protocol } = await newAgreement(app.query, page!.clientId);
    for (const path of [
      `/checkout/${debtId}`,
      `/pay/${page!.id}`,
      `/direitos/${page!.id}`,
      `/verify/${protocol}?sig=${agreementSignature(protocol)}`,
    ]) {
      const { body } = await app.call<string>('GET', path, { headers: { accept: 'text/html' } });
      expect([path, String(body).includes('<a href="/verdade">É verdade? Confira</a>')]).toEqual([path, true]);
    }
  });
});

async function submit(page: Page, content: string): Promise<void> {
  await page.getByLabel('O que você recebeu').fill(content);
  await page.getByRole('button', { name: 'Conferir' }).click();
  await page.waitForLoadState();
}
