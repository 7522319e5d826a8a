import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const owner = await app.newClient();
const apiKey: string = (await owner.call('POST', '/api/onboarding/me/api-key')).body.apiKey;
const campaignId: string = await owner.createCampaign('Mensalidades');
await owner.importJson(campaignId, [
  {
    debtorName: 'Ana Souza',
    debtorPhone: '11987650001',
    debtorCpf: '52998224725',
    debtorEmail: 'ana@cliente.example',
    originalAmount: 100.5,
    dueDate: '2026-09-10',
  },
]);
const debtId: string = (await owner.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0].id;

const newClient = () => new Client({ name: 'quita-tests', version: '1.0.0' });

async function overStdio(flags: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = newClient();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['src/cli.ts', 'mcp', ...flags],
    env: { PATH: process.env['PATH'] ?? '', QUITA_URL: app.url, QUITA_API_KEY: apiKey, ...env },
  });
  await client.connect(transport);
  return client;
}

interface Shown {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  readonly body: any;
}

async function use(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Shown> {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content as { readonly text: string }[];
  const text = content?.text ?? '';
  return { isError: result.isError === true, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

const READING = [
  'list_campaigns',
  'get_campaign',
  'get_campaign_statistics',
  'get_dashboard',
  'rehearse_campaign',
  'list_debts',
  'search_debts',
  'get_debt',
  'list_timeline',
  'get_contact_eligibility',
  'list_inbox',
  'get_policy',
];
const WRITING = ['launch_campaign', 'pause_campaign', 'resume_campaign', 'send_message'];

describe('quita mcp over standard input and output', () => {
  it('offers reading alone, and every tool of it answers', async () => {
    const client = await overStdio([]);
    expect(await names(client)).toEqual(READING);
    const inputs: Readonly<Record<string, Record<string, unknown>>> = {
      get_campaign: { campaignId },
      get_campaign_statistics: { campaignId },
      rehearse_campaign: { campaignId },
      list_debts: { campaignId, limit: 10 },
      search_debts: { q: 'Ana' },
      get_debt: { debtId },
      list_timeline: { debtId, limit: 10 },
      get_contact_eligibility: { debtId },
    };
    for (const name of READING)
      expect([name, await use(client, name, inputs[name])]).toMatchObject([name, { isError: false }]);
    expect((await use(client, 'list_campaigns')).body.items).toMatchObject([{ id: campaignId, status: 'DRAFT' }]);
    await client.close();
  });

  it('masks numbers and addresses of debtors unless it is told to show them', async () => {
    const [masking, showing] = await Promise.all([overStdio([]), overStdio(['--show-personal-data'])]);
    expect((await use(masking, 'get_debt', { debtId })).body).toMatchObject({
      debtorName: 'Ana Souza',
      debtorCpf: '***4725',
      debtorPhone: '***0001',
      debtorEmail: '***mple',
    });
    expect((await use(showing, 'get_debt', { debtId })).body).toMatchObject({ debtorCpf: '52998224725' });
    await Promise.all([masking.close(), showing.close()]);
  });

  it('refuses a tool that changes something, unless writes are allowed', async () => {
    const client = await overStdio([]);
    await expect(
      client.callTool({ name: 'launch_campaign', arguments: { campaignId, sandbox: true } }),
    ).rejects.toThrow();
    expect((await owner.call('GET', `/api/campaigns/${campaignId}`)).body.status).toBe('DRAFT');
    await client.close();
  });

  it('launches with writes allowed, and shows the problem of a refused call', async () => {
    const draft = await owner.createCampaign('Vazia');
    const client = await overStdio(['--allow-writes']);
    expect(await names(client)).toEqual([...READING, ...WRITING]);
    const refused = await use(client, 'launch_campaign', { campaignId: draft, sandbox: true });
    expect(refused).toMatchObject({ isError: true, body: { status: 409, code: 'campaign_empty' } });
    const message = await use(client, 'send_message', { debtId, text: 'Bom dia!' });
    expect(message).toMatchObject({ isError: true, body: expect.stringContaining('QUITA_EMAIL') });
    await client.close();
  });

  it('answers what another client owns as what does not exist, and a wrong key as refused', async () => {
    const stranger = await app.newClient();
    const key = (await stranger.call('POST', '/api/onboarding/me/api-key')).body.apiKey;
    const [other, wrong] = await Promise.all([
      overStdio([], { QUITA_API_KEY: key }),
      overStdio([], { QUITA_API_KEY: 'service_key_wrong' }),
    ]);
    expect(await use(other, 'get_debt', { debtId })).toMatchObject({ isError: true, body: { code: 'not_found' } });
    expect(await use(wrong, 'list_campaigns')).toMatchObject({ isError: true, body: { status: 401 } });
    await Promise.all([other.close(), wrong.close()]);
  });
});

describe('quita mcp over HTTP', () => {
  let server: ReturnType<typeof spawn>;
  let address: string;
  beforeAll(async () => {
    server = spawn(process.execPath, ['src/cli.ts', 'mcp', '--http', '--port', '0', '--allow-writes'], {
      env: { PATH: process.env['PATH'] ?? '', QUITA_URL: app.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(server.stdout!), 'line')) as [string];
    address = /http:\S+\/mcp/.exec(line)?.[0] ?? '';
  });
  afterAll(async () => {
    const exit = once(server, 'exit');
    server.kill('SIGTERM');
    expect((await exit)[0]).toBe(0);
  });

  const connect = async (bearer: string): Promise<Client> => {
    const client = newClient();
    const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
    return client;
  };

  it('acts with the key that each request carries', async () => {
    const stranger = await app.newClient();
    const strangersKey = (await stranger.call('POST', '/api/onboarding/me/api-key')).body.apiKey;
    const [own, other] = await Promise.all([connect(apiKey), connect(strangersKey)]);
    expect((await use(own, 'get_debt', { debtId })).isError).toBe(false);
    expect(await use(other, 'get_debt', { debtId })).toMatchObject({ isError: true, body: { code: 'not_found' } });
    await Promise.all([own.close(), other.close()]);
  });

  it('refuses requests without a key, from a foreign page, and for another host', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
    expect((await post({})).status).toBe(401);
    const bearer = { authorization: `Bearer ${apiKey}` };
    expect((await post({ ...bearer, origin: 'https://evil.example' })).status).toBe(403);
    expect((await fetch(new URL('/other', address))).status).toBe(404);
    expect((await fetch(address, { method: 'POST', headers: bearer, body: 'x'.repeat(6_000_000) })).status).toBe(415);
  });
});
