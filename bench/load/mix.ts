import { randomUUID } from 'node:crypto';
import type { Debtor, People } from './people.ts';
import type { World } from './world.ts';

/**
 * How often callers of each kind arrive, in thousandths. Fifty debts come in for a thousand calls, and as many debtors
 * pay or write, so that the number of open conversations stays about the same.
 */
export const MIX = {
  'status of a debt': 550,
  'checkout page': 60,
  payment: 25,
  'repeated notification': 5,
  'inbound message': 25,
  'change feed': 120,
  'debt page': 60,
  search: 30,
  inbox: 25,
  dashboard: 20,
  'list of debts': 20,
  'list of campaigns': 15,
  'list of receipts': 5,
  import: 3,
  launch: 1,
} as const;
export type Kind = keyof typeof MIX;

const DEBTS_OF_AN_IMPORT = 10;
const DEBTS_OF_A_LAUNCH = 20;
const TABS = 8;
const TEXTS = [
  'Qual é o valor da dívida?',
  'Já paguei ontem',
  'Não reconheço esta dívida.',
  'Vou pagar na sexta-feira',
  'PARAR',
];

export interface Traffic {
  /** Does what a caller of this kind does. */
  arrive(kind: Kind, plannedAt: number): void;
  /** Prepares a campaign into which imports go. */
  prepare(debts: number): Promise<void>;
  /** Waits for all that has begun. */
  settle(): Promise<void>;
  readonly messages: number;
}

export function createTraffic(world: World, people: People, random: () => number): Traffic {
  const { caller, url, token, provider, whatsapp } = world;
  const bearer = { authorization: `Bearer ${token}` };
  const json = { ...bearer, 'content-type': 'application/json' };
  const cursors = Array.from({ length: TABS }, (): string | null => null);
  const campaigns: string[] = [];
  let messages = 0;
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const get = (kind: string, at: number, path: string, headers: Record<string, string> = bearer) =>
    caller.call(kind, at, { method: 'GET', url: `${url}${path}`, headers });
  const post = (kind: string, at: number, path: string, body?: object, expect = 200) =>
    caller.call(kind, at, {
      method: 'POST',
      url: `${url}${path}`,
      headers: json,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      expect,
    });

  async function importInto(kind: string, at: number, campaignId: string, count: number): Promise<void> {
    const body = { clientId: world.clientId, debts: world.newDebts(count) };
    const answer = await post(kind, at, `/api/import/json/${campaignId}`, body);
    if (answer === null) return;
    const { imported } = JSON.parse(answer.toString()) as { imported: number };
    if (imported !== count) world.recorder.add(kind, at, `imported ${imported} of ${count}`);
  }

  /** Three calls, each from the end of the one before. */
  async function launch(at: number, count: number): Promise<void> {
    const made = await post('new campaign', at, '/api/campaigns', { name: `Campanha ${campaigns.length + 1}` }, 201);
    if (made === null) return;
    const { id } = JSON.parse(made.toString()) as { id: string };
    await importInto('import', performance.now(), id, count);
    if ((await post('launch', performance.now(), `/api/campaigns/${id}/launch`)) !== null) campaigns.push(id);
  }

  const notify = async (kind: string, at: number, { charge }: Debtor): Promise<void> => {
    const built = provider.notification(charge, { baseUrl: url });
    await caller.call(kind, at, { method: 'POST', url: built.url, headers: built.headers, body: built.body });
  };

  /** A tab of the console follows the changes, from where it stopped. */
  async function follow(at: number): Promise<void> {
    const tab = Math.floor(random() * TABS);
    const cursor = cursors[tab];
    const query = cursor == null ? 'last=30' : `cursor=${encodeURIComponent(cursor)}&limit=100`;
    const answer = await get('change feed', at, `/api/events?${query}`);
    if (answer !== null) cursors[tab] = (JSON.parse(answer.toString()) as { nextCursor: string }).nextCursor;
  }

  const ofDebtor = (work: (debtor: Debtor) => unknown): void => {
    const debtor = people.any(random);
    if (debtor !== undefined) work(debtor);
  };

  const kinds: Readonly<Record<Kind, (at: number) => unknown>> = {
    'status of a debt': (at) =>
      ofDebtor(({ debtId }) => get('status of a debt', at, `/api/checkout/${debtId}/status`, {})),
    'checkout page': (at) => ofDebtor(({ debtId }) => get('checkout page', at, `/checkout/${debtId}`, {})),
    payment: (at) => {
      const debtor = people.next();
      if (debtor === undefined) return;
      provider.pay(debtor.charge);
      people.paid(debtor);
      return notify('payment', at, debtor);
    },
    'repeated notification': (at) => {
      const debtor = pick(people.payers);
      return debtor === undefined ? undefined : notify('repeated notification', at, debtor);
    },
    'inbound message': (at) => {
      const debtor = people.next();
      if (debtor === undefined) return;
      messages += 1;
      const message = { id: `wamid.${randomUUID()}`, from: debtor.phone, text: pick(TEXTS) ?? '' };
      const request = whatsapp.messageRequest(`${url}/api/messaging/whatsapp`, message);
      const headers = request.headers as Record<string, string>;
      return caller.call('inbound message', at, { method: 'POST', url: request.url, headers, body: request.body });
    },
    'change feed': follow,
    'debt page': (at) => ofDebtor(({ debtId }) => get('debt page', at, `/api/debts/${debtId}`)),
    search: (at) =>
      ofDebtor(({ phone }) => post('search', at, '/api/debts/search', random() < 0.5 ? { q: phone } : { q: 'maria' })),
    inbox: (at) => get('inbox', at, '/api/inbox?state=open'),
    dashboard: (at) => get('dashboard', at, '/api/dashboard?sandbox=false'),
    'list of debts': (at) => {
      const id = pick(campaigns);
      return id === undefined ? undefined : get('list of debts', at, `/api/campaigns/${id}/debts?limit=50`);
    },
    'list of campaigns': (at) => get('list of campaigns', at, '/api/campaigns?include=statistics'),
    'list of receipts': (at) => get('list of receipts', at, '/api/receipts?limit=50'),
    import: (at) => {
      const id = campaigns[0];
      return id === undefined ? undefined : importInto('import', at, id, DEBTS_OF_AN_IMPORT);
    },
    launch: (at) => launch(at, DEBTS_OF_A_LAUNCH),
  };

  const begun = new Set<Promise<unknown>>();
  return {
    arrive: (kind, plannedAt) => {
      const work = Promise.resolve(kinds[kind](plannedAt)).catch((error: Error) =>
        world.recorder.add(kind, plannedAt, error.message),
      );
      begun.add(work);
      void work.finally(() => begun.delete(work));
    },
    settle: async () => {
      while (begun.size > 0) await Promise.allSettled([...begun]);
    },
    prepare: (debts) => launch(performance.now(), debts),
    get messages() {
      return messages;
    },
  };
}
