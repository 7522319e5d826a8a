import { expect } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import type { CampaignsApp, TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';

/** Where the debtors of `debtInput` live. */
export const today = localDate(Date.now(), -3);
const DAY_MS = 86_400_000;

export interface Person {
  readonly client: TestClient;
  readonly cpf: string;
  readonly ids: readonly string[];
  /** The address of the page of their first debt. */
  readonly page: string;
}

export interface Seen {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Headers;
}

export interface Agreement {
  readonly id: string;
  readonly protocol: string;
  readonly debtIds: readonly string[];
  readonly total: number;
  readonly instalments: readonly { readonly number: number; readonly dueDate: string; readonly amount: number }[];
}

export const acceptLinks = ({ text }: Seen): string[] =>
  [...text.matchAll(/href="([^"]+\/accept)"/g)].map(([, path]) => path ?? '');
export const codeIn = ({ text }: Seen): string => /<textarea[^>]*>([^<]+)</.exec(text)?.[1] ?? '';
/** Where a button leads that leaves a notice on the page. */
export const NOTICE = (path: string) => expect.stringMatching(new RegExp(`^${path}\\?aviso=[0-9a-f-]{36}$`));
export const agreementsOf = async ({ client }: Pick<Person, 'client'>): Promise<Agreement[]> =>
  (await client.call('GET', '/api/agreements')).body.items;

let persons = 0;

/** What a debtor does on the pages of `app`. */
export function debtorPages(app: CampaignsApp) {
  /** One person with these debts in a campaign that was launched in the sandbox. */
  async function newPerson(debts: readonly object[] = [{}], policy: object | null = {}): Promise<Person> {
    const client = await app.newClient();
    if (policy !== null) await client.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, ...policy });
    persons += 1;
    const cpf = cpfOf(700_000_000 + persons);
    const campaignId = await client.createCampaign();
    const inputs = debts.map((given, at) =>
      debtInput(persons * 100 + at, {
        debtorCpf: cpf,
        dueDate: addDays(today, -100),
        originalAmount: 1000,
        ...given,
      }),
    );
    await client.importJson(campaignId, inputs);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts?limit=100`)).body;
    const ids = inputs.map(
      ({ invoiceId }) => items.find((one: { invoiceId: string }) => one.invoiceId === invoiceId).id,
    );
    return { client, cpf, ids, page: `/checkout/${ids[0]}` };
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Seen> {
    const answer = await fetch(`${app.url}${path}`, { redirect: 'manual', ...init });
    const { status, headers } = answer;
    return { status, headers, location: headers.get('location'), text: await answer.text() };
  }
  /** Presses a button as a browser does. */
  const press = (path: string, form?: Record<string, string>, headers: Record<string, string> = { origin: app.url }) =>
    ask(path, {
      method: 'POST',
      headers: { accept: 'text/html,*/*;q=0.8', ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    });

  const offersOf = async (page: string) => acceptLinks(await ask(`${page}/offers`));
  const moveClock = (ids: readonly string[], days: number) =>
    app.query('update debts set clock_offset_ms = $2 where id = any($1)', [ids, days * DAY_MS]);

  /** A person who has accepted an offer on the page; `option` counts from 0. */
  async function agreed(
    debts: readonly object[] = [{}],
    { policy = {}, option = 1 }: { readonly policy?: object; readonly option?: number } = {},
  ): Promise<Person & { readonly agreement: Agreement }> {
    const person = await newPerson(debts, policy);
    const path = (await offersOf(person.page))[option]!;
    expect(await press(path)).toMatchObject({ status: 303, location: NOTICE(person.page) });
    return { ...person, agreement: (await agreementsOf(person))[0]! };
  }
  const personPage = async (page: string): Promise<string> =>
    /href="(\/pay\/[0-9a-f-]{36})"/.exec((await ask(page)).text)?.[1] ?? '';

  /** Pays a code of an agreement, as its settlement stores it. */
  const payCode = (code: string) =>
    app.query(
      `update charges set status = 'APPROVED', approved_at = quita_now(), paid_at = quita_now(),
         paid_centavos = amount_centavos, credited_on = $2::date
       where br_code = $1`,
      [code, today],
    );
  const statusOf = async (id: string): Promise<string> =>
    (await app.get<{ status: string }>(`/api/checkout/${id}/status`)).body.status;

  return { newPerson, ask, press, offersOf, moveClock, agreed, personPage, payCode, statusOf };
}
