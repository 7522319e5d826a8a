import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MASKED, SHOWN, SHOWN_AS_CODE } from '../../../src/platform/http/mask-persons.ts';
import { debtInput } from '../../../testing/debts.ts';
import { collector, startCollectionApp } from '../../../testing/engine-harness.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { addMember, newKey } from './accounts.ts';

const app = await opened(startCollectionApp());

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const { body: document } = await app.get<Document>('/openapi.json');

/** They name nobody, so that an auditor reads them as they are. */
const AS_THEY_ARE = [
  'getChannel',
  'getOffersPolicy',
  'getOwnRules',
  'getPolicy',
  'listAudit',
  'listChannelTemplates',
  'listChannels',
  'listMessageTexts',
  'listProductTexts',
  'listSessions',
  'listTerms',
  'readAccount',
  'readRetention',
];

/** What is hidden from an auditor whole: texts of people, addresses, and what leads to a person. */
const HIDDEN = [
  'brCode',
  'pixCode',
  'because',
  'code',
  'consentSource',
  'debtorEmail',
  'debtorEmails',
  'description',
  'filename',
  'memo',
  'note',
  'text',
  'url',
  'answer',
  'changed',
  'outcome',
  'rightsUrl',
];

/** Collects the names of the texts in an answer. */
function textsIn(schema: Schema, name: string, found: Set<string>, above: readonly Schema[] = []): void {
  const { $ref } = schema;
  const here = $ref === undefined ? schema : document.components.schemas[$ref.split('/').at(-1) ?? '']!;
  if (above.includes(here)) return;
  const inside = [...above, here];
  const tellsNothing = here.format === 'uuid' || here.format === 'date' || here.format === 'date-time';
  if ([here.type].flat().includes('string') && !tellsNothing) found.add(name);
  for (const part of [...(here.anyOf ?? []), ...(here.oneOf ?? []), ...(here.allOf ?? [])])
    textsIn(part, name, found, inside);
  for (const [member, part] of Object.entries(here.properties ?? {})) textsIn(part, member, found, inside);
  if (here.items !== undefined) textsIn(here.items, name, found, inside);
  if (typeof here.additionalProperties === 'object') textsIn(here.additionalProperties, name, found, inside);
}

const reading = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method, { operationId, security }]) => {
      const reads = method === 'get' || operationId === 'searchDebts' || operationId === 'searchReceipts';
      return reads && security.length > 0;
    })
    .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);

describe('what an auditor reads', () => {
  it('has no text of which nobody has said whether it may name a person', () => {
    const found = new Set<string>();
    for (const { operationId, responses } of reading) {
      const schema = responses['200']?.content?.['application/json']?.schema;
      if (schema !== undefined && !AS_THEY_ARE.includes(operationId)) textsIn(schema, '', found);
    }
    // Members, webhooks and saved answers are read by others.
    const others = ['disabledReason', 'email', 'filled', 'lastError', 'lastResponse', 'profile', 'role'];
    const decided = [...SHOWN, ...MASKED.keys(), ...SHOWN_AS_CODE.keys(), ...HIDDEN, ...others];
    expect([...found].filter((name) => !decided.includes(name))).toEqual([]);
    expect(found.size).toBeGreaterThan(40);
    for (const name of HIDDEN) expect([name, SHOWN.has(name)]).toEqual([name, false]);
  });

  it('names no debtor in any answer, and has the same figures', async () => {
    const client = await app.newClient();
    const { token: auditor } = await addMember(app, client.id, 'auditor', client.password);
    const key = await newKey(app, client.token);
    const { debt, launch, say } = collector(client);
    const { campaignId, debts } = await launch([
      debtInput(1, {
        debtorPhone: '11987650001',
        debtorName: 'Ana Perpétua Quintanilha',
        debtorEmail: 'ana@quintanilha.com.br',
      }),
      debtInput(2, {
        debtorPhone: '11987650055',
        debtorName: 'Rui Zacarias Taborda',
        description: 'Aula de Rui Zacarias',
      }),
    ]);
    const [paid, open] = [debts[0]!, debts[1]!];
    await say(open.id, 'Aqui é o Rui Zacarias, CPF 529.982.247-25, fone 11987650055. Já paguei, não devo nada!');
    await client.call('POST', `/api/debts/${open.id}/notes`, { text: 'Falei com Rui Zacarias, rui@taborda.com.br' });
    await until(
      'the first debt is paid with its receipt, and the second one waits in the inbox',
      async () => {
        const receipts = await app.query('select from receipts where client_id = $1', [client.id]);
        const items = await app.query('select from inbox_items where client_id = $1', [client.id]);
        return receipts.length > 0 && items.length > 0;
      },
      { timeoutMs: 90_000 },
    );
    const rows = await Promise.all(debts.map(({ id }) => debt(id)));
    const named = [
      'perpétua',
      'quintanilha',
      'zacarias',
      'taborda',
      ...rows.flatMap(({ debtorCpf, debtorPhone }) => [debtorCpf, debtorPhone.slice(3)]),
    ].map((word) => word.toLowerCase());
    const leaks = (text: string) => named.filter((word) => text.toLowerCase().includes(word));

    const ids: Readonly<Record<string, string>> = { campaignId, debtId: paid.id };
    const inPath = (path: string, debtId: string) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        if (name === 'id' && path.startsWith('/api/campaigns')) return campaignId;
        return name === 'id' || name === 'debtId' ? debtId : (ids[name] ?? randomUUID());
      });
    const query: Readonly<Record<string, string>> = {
      getSettlements: '?from=2026-01-01&to=2026-12-31',
      listSandboxOutbox: `?debtId=${open.id}&limit=100`,
      downloadReceipts: '?month=2026-11',
    };
    let shown = 0;
    const seen = new Map<string, string[]>();
    for (const { method, path, operationId } of reading) {
      for (const debtId of [paid.id, open.id]) {
        const address = `${inPath(path, debtId)}${query[operationId] ?? ''}`;
        const body = method === 'POST' ? { q: 'Zacarias' } : undefined;
        const own = await app.call<unknown>(method, address, { bearer: client.token, body });
        const { status, body: given } = await app.call<unknown>(method, address, { bearer: auditor, body });
        expect([operationId, leaks(JSON.stringify(given))]).toEqual([operationId, []]);
        expect([operationId, status === 403 || status === own.status]).toEqual([operationId, true]);
        const found = leaks(JSON.stringify(own.body));
        seen.set(operationId, [...(seen.get(operationId) ?? []), ...found]);
        if (status === 200) shown += 1;
      }
    }
    expect(shown).toBeGreaterThan(40);
    // The owner reads them, so that their absence says something.
    for (const operationId of ['getDebt', 'listDebts', 'listInbox', 'searchDebts', 'listReceipts', 'listSandboxOutbox'])
      expect([operationId, seen.get(operationId)?.length === 0]).toEqual([operationId, false]);

    const masked = (await app.get<Record<string, unknown>>(`/api/debts/${open.id}`, auditor)).body;
    expect(masked).toMatchObject({
      debtorName: 'R*** T***',
      status: expect.any(String),
      originalAmount: expect.any(Number),
    });
    const asKey = (await app.get<Record<string, unknown>>(`/api/debts/${open.id}`, key)).body;
    expect(asKey).toMatchObject({ debtorName: 'Rui Zacarias Taborda' });
    const settlements = '/api/reports/settlements?from=2026-11-01&to=2026-11-30';
    const csv = await app.call('GET', settlements, { bearer: auditor, headers: { accept: 'text/csv' } });
    expect(csv.status).toBe(403);
  });
});
