import type { AppOptions } from './app.ts';
import { type CampaignsApp, startCampaignsApp, type TestClient } from './campaigns-app.ts';
import { type DebtInput, debtInput } from './debts.ts';
import { until } from './poll.ts';

/** The longest wait of the sandbox, which is short so that weeks of collection pass in seconds. */
const WAIT = '300ms';
/** Is long enough for a test to stop the clock before another contact. */
const HELD_WAIT = '500ms';

export const startCollectionApp = (options: AppOptions = {}): Promise<CampaignsApp> =>
  startCampaignsApp({
    roles: ['api', 'worker', 'relay'],
    ...options,
    env: { SANDBOX_MAX_WAIT: WAIT, ...options.env },
  });

/** For tests that stop the clock after the first contact by `contacted`: an answer waits as long as a day does. */
export const startHeldApp = (options: AppOptions = {}): Promise<CampaignsApp> =>
  startCollectionApp({ ...options, env: { SANDBOX_MAX_WAIT: HELD_WAIT, ...options.env } });

export interface TimelineEntry {
  readonly at: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an entry holds depends on its kind
  readonly [member: string]: any;
}

export interface Debt {
  readonly clock?: string | null;
  readonly id: string;
  readonly campaignId: string;
  readonly status: string;
  readonly score: number;
  readonly invoiceId: string;
  readonly debtorPhone: string;
  readonly debtorCpf: string;
  readonly dueDate: string;
  readonly timeline: readonly TimelineEntry[];
}

export interface Launched {
  readonly campaignId: string;
  readonly debts: readonly Pick<Debt, 'id' | 'status' | 'invoiceId'>[];
}

const ENDS = ['PAID', 'OPTED_OUT', 'EXHAUSTED', 'STOPPED', 'DISPUTED', 'ON_HOLD'];

/** The actions of one client with its campaigns. */
export function collector(client: Omit<TestClient, 'email' | 'password'>) {
  const debt = async (id: string): Promise<Debt> => (await client.call('GET', `/api/debts/${id}`)).body;

  async function allDebts(campaignId: string): Promise<Launched['debts']> {
    const debts: Debt[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await client.call('GET', `/api/campaigns/${campaignId}/debts?limit=100${cursor}`);
      debts.push(...body.items);
      if (body.nextCursor === null) return debts;
      cursor = `&cursor=${body.nextCursor}`;
    }
  }

  async function draft(inputs: readonly DebtInput[]): Promise<string> {
    const campaignId = await client.createCampaign();
    const { body } = await client.importJson(campaignId, inputs);
    if (body.imported !== inputs.length) throw new Error(`not all imported: ${JSON.stringify(body)}`);
    return campaignId;
  }

  async function launch(inputs: readonly DebtInput[]): Promise<Launched> {
    const campaignId = await draft(inputs);
    const { status, body } = await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    if (status !== 200) throw new Error(`not launched: ${JSON.stringify(body)}`);
    return { campaignId, debts: await allDebts(campaignId) };
  }

  const reaches = (debtId: string, what: string, holds: (debt: Debt) => boolean, timeoutMs = 90_000) =>
    until(
      what,
      async () => {
        const one = await debt(debtId);
        return holds(one) ? one : null;
      },
      { timeoutMs, everyMs: 100 },
    );

  /** Stops the clocks of a campaign: of its debts, and of the agreements that they have now. */
  async function hold({ campaignId }: Debt): Promise<void> {
    const { status } = await client.call('POST', `/api/sandbox/campaigns/${campaignId}/clock`, { command: 'hold' });
    if (status !== 202) throw new Error(`the clock was not stopped: ${status}`);
  }

  return {
    ...client,
    debt,
    allDebts,
    draft,
    launch,
    launchOne: async (given: object, n = 1): Promise<string> => {
      const { debts } = await launch([debtInput(n, given)]);
      return debts[0]?.id ?? '';
    },
    say: async (debtId: string, text: string) => client.call('POST', `/api/sandbox/debts/${debtId}/messages`, { text }),
    outbox: async (debtId: string) =>
      (await client.call('GET', `/api/sandbox/outbox?debtId=${debtId}&limit=100`)).body.items,
    ended: (debtId: string, timeoutMs = 60_000) =>
      until(
        `debt ${debtId} ends`,
        async () => {
          const one = await debt(debtId);
          return ENDS.includes(one.status) ? one : null;
        },
        { timeoutMs, everyMs: 100 },
      ),
    reaches,
    hold,
    /**
     * Waits for the first contact, and stops the clock of its campaign: the sequence does not go on while a test talks or
     * looks at a page, however slow the machine is.
     */
    async contacted(debtId: string): Promise<Debt> {
      const one = await reaches(debtId, 'contacted', (found) => sent(found, 'collection').length > 0);
      await hold(one);
      return one;
    },
  };
}

export type Collector = ReturnType<typeof collector>;

export const sent = (debt: Debt, purpose: string): TimelineEntry[] =>
  debt.timeline.filter((entry) => entry.kind === 'message_sent' && entry['purpose'] === purpose);
export const ofKind = (debt: Debt, kind: string): TimelineEntry[] =>
  debt.timeline.filter((entry) => entry.kind === kind);
