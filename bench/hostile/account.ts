import { randomUUID } from 'node:crypto';
import type { HostileAnswer, Source } from './source.ts';

/** An account that anybody can open, with a confirmed address nowhere. */
export interface Account {
  readonly source: Source;
  readonly clientId: string;
  readonly headers: Readonly<Record<string, string>>;
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<HostileAnswer>;
  /** Makes a draft, and returns its id. */
  newCampaign(): Promise<string>;
  /** Imports these debts into a draft. */
  importDebts(campaignId: string, debts: readonly object[]): Promise<void>;
  debtsOf(campaignId: string): Promise<readonly string[]>;
}

const PAGE = 100;

const parsed = <Body>({ status, text }: HostileAnswer): Body => {
  if (status >= 300) throw new Error(`The account could not be prepared: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Body;
};

export async function signUp(source: Source): Promise<Account> {
  const email = `financeiro@c${randomUUID().slice(0, 8)}.com.br`;
  const signed = await source.send({
    method: 'POST',
    path: '/api/onboarding/signup',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Escola Aurora', email, password: 'Segredo123' }),
  });
  const { id: clientId, token } = parsed<{ id: string; token: string }>(signed);
  const headers = { authorization: `Bearer ${token}` };
  const post: Account['post'] = (path, body, more = {}) =>
    source.send({
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
  return {
    source,
    clientId,
    headers,
    post,
    newCampaign: async () => parsed<{ id: string }>(await post('/api/campaigns', { name: 'Campanha' })).id,
    async importDebts(campaignId, debts) {
      const { imported } = parsed<{ imported: number }>(
        await post(`/api/import/json/${campaignId}`, { clientId, debts }),
      );
      if (imported !== debts.length) throw new Error(`${imported} of ${debts.length} debts were imported`);
    },
    async debtsOf(campaignId) {
      const path = `/api/campaigns/${campaignId}/debts?limit=${PAGE}`;
      const { items } = parsed<{ items: readonly { id: string }[] }>(
        await source.send({ method: 'GET', path, headers }),
      );
      return items.map(({ id }) => id);
    },
  };
}
