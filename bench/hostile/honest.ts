import { createNumbers } from '../../scripts/random-numbers.ts';
import { debtInput, debtInputs } from '../../testing/debts.ts';
import { letArrive } from '../load/arrivals.ts';
import { Caller } from '../load/caller.ts';
import { Recorder } from '../load/recorder.ts';
import { chooserOf } from '../support/random.ts';
import { type Account, signUp } from './account.ts';
import { Source } from './source.ts';

/** In hundredths. Three clients share the calls, so that none reaches its rate. */
const MIX = {
  'debt page': 30,
  'list of debts': 15,
  search: 10,
  'list of campaigns': 10,
  dashboard: 10,
  inbox: 5,
  note: 5,
  import: 5,
  alive: 10,
} as const;
type Kind = keyof typeof MIX;

const CLIENTS = 3;
const DEBTS = 100;
const SEED = 1;
const FIRST_SOURCE = 100;

interface Client {
  readonly account: Account;
  readonly campaignId: string;
  readonly debts: readonly string[];
}

export interface Honest {
  /** Lets this many calls arrive in a second, waits for their answers, and returns what was seen. */
  call(rate: number, seconds: number): Promise<Recorder>;
}

export async function prepareHonest(url: string): Promise<Honest> {
  const clients: Client[] = [];
  for (let n = 0; n < CLIENTS; n += 1) {
    const account = await signUp(new Source(url, FIRST_SOURCE + n));
    const campaignId = await account.newCampaign();
    await account.importDebts(campaignId, debtInputs(DEBTS));
    clients.push({ account, campaignId, debts: await account.debtsOf(campaignId) });
  }
  const random = createNumbers(SEED);
  const choose = chooserOf<Kind>(MIX, random);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  let imported = DEBTS;

  return {
    async call(rate, seconds) {
      const recorder = new Recorder();
      const caller = new Caller(recorder);
      const begun: Promise<unknown>[] = [];
      const arrive = (plannedAt: number): void => {
        const kind = choose();
        const { account, campaignId, debts } = pick(clients);
        const send = (method: 'GET' | 'POST', path: string, body?: object, expect = 200): Promise<unknown> =>
          caller.call(kind, plannedAt, {
            method,
            url: `${url}${path}`,
            headers: { ...account.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            expect,
          });
        const kinds: Readonly<Record<Kind, () => Promise<unknown>>> = {
          'debt page': () => send('GET', `/api/debts/${pick(debts)}`),
          'list of debts': () => send('GET', `/api/campaigns/${campaignId}/debts?limit=50`),
          search: () => send('POST', '/api/debts/search', { q: 'maria' }),
          'list of campaigns': () => send('GET', '/api/campaigns?include=statistics'),
          dashboard: () => send('GET', '/api/dashboard?sandbox=true'),
          inbox: () => send('GET', '/api/inbox?state=open'),
          note: () => send('POST', `/api/debts/${pick(debts)}/notes`, { text: 'Ligou e pediu a segunda via.' }, 201),
          import: () => {
            imported += 1;
            const body = { clientId: account.clientId, debts: [debtInput(imported)] };
            return send('POST', `/api/import/json/${campaignId}`, body);
          },
          alive: () => send('GET', '/health/live'),
        };
        begun.push(kinds[kind]());
      };
      await letArrive({ rate, seconds, random, arrive });
      await Promise.all(begun);
      caller.close();
      return recorder;
    },
  };
}
