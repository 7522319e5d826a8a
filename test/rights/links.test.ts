import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { debtorPages } from '../agreements/pages.ts';

const app = await opened(startCampaignsApp());
const { newPerson, agreed, ask, press, offersOf, personPage } = debtorPages(app);

/** The addresses of pages of rights to which a page leads. */
const leadsTo = (text: string): string[] =>
  [...text.matchAll(/href="(\/direitos\/[0-9a-f-]{36})"/g)].map(([, path = '']) => path);
const rightsOf = async ({ client, ids }: Awaited<ReturnType<typeof newPerson>>): Promise<string> =>
  new URL((await client.call('GET', `/api/debts/${ids[0]}`)).body.rightsUrl).pathname;

describe('the way to the page of rights', () => {
  it('is on every page before a payment: of a debt, of a person, of offers, and before a button does something', async () => {
    const person = await newPerson([{}, {}]);
    const rights = await rightsOf(person);
    for (const page of [person.page, await personPage(person.page)]) {
      const [accept = ''] = await offersOf(page);
      for (const path of [page, `${page}/offers`, accept, `${page}/dispute`, `${page}/opt-out`]) {
        const { status, text } = await ask(path);
        expect([path, status, leadsTo(text)]).toEqual([path, 200, [rights]]);
      }
    }
  });

  it('is on the page of an agreement, and on the one that confirms it', async () => {
    const person = await agreed();
    const rights = await rightsOf(person);
    const { text } = await ask(person.page);
    expect(leadsTo(text)).toEqual([rights]);
    const [, term = ''] = /href="([^"]*\/api\/agreements\/download\/[^"]+)"/.exec(text) ?? [];
    const verify = new URL(term.replaceAll('&amp;', '&'), app.url);
    const shown = await ask(`/verify/${verify.pathname.split('/').at(-1)}${verify.search}`);
    expect([shown.status, shown.text.includes(rights)]).toEqual([200, true]);
  });

  it('is nowhere once a stranger has said that the address is not theirs', async () => {
    const person = await newPerson([{}, {}]);
    const rights = await rightsOf(person);
    const ofPerson = await personPage(person.page);
    expect((await press(`${rights}/nao-e-meu`)).status).toBe(200);
    for (const page of [person.page, ofPerson]) {
      for (const path of [page, `${page}/offers`, `${page}/dispute`, `${page}/opt-out`])
        expect([path, leadsTo((await ask(path)).text)]).toEqual([path, []]);
    }
  });
});
