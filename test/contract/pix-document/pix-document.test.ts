/**
 * Holds our requests, and the answers of the fake bank, to the published document of the API Pix. The document is not a
 * part of this project: `PIX_API_DOCUMENT` names its file.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { createPixProvider } from '../../../src/modules/payments/adapters/pix/pix-provider.ts';
import type { SeenRequest } from '../../../testing/fake-bank/account.ts';
import { FakeBank } from '../../../testing/fake-bank/fake-bank.ts';
import { PLAYED_BANKS, type PlayedBank } from '../../../testing/fake-bank/quirks.ts';
import { FORGIVEN } from './forgiven.ts';

const path = process.env['PIX_API_DOCUMENT'] ?? '';
if (path === '') {
  process.stderr.write(
    'SKIPPED: PIX_API_DOCUMENT names no file, so nothing is held to the published document of the API Pix\n',
  );
}
const described = path === '' ? describe.skip : describe;

type Node = Record<string | number, unknown>;
const nodeAt = (document: Node, at: readonly (string | number)[]): Node =>
  at.reduce<Node>((node, step) => (node[step] ?? {}) as Node, document);

interface Operation {
  readonly requestBody?: { readonly $ref: string };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: unknown }>> }>>;
}

described('the published document of the API Pix', () => {
  let document: Node;
  let ajv: Ajv;
  const banks = new Map<PlayedBank, readonly SeenRequest[]>();

  beforeAll(async () => {
    document = load(readFileSync(path, 'utf8')) as Node;
    for (const name of PLAYED_BANKS) banks.set(name, await everyCall(name));
  });
  afterAll(() => banks.clear());

  it.each(FORGIVEN.map((one) => [one.at.join('/'), one] as const))('still has its fault at %s', (_at, fault) => {
    const parent = nodeAt(document, fault.at.slice(0, -1));
    expect(parent[fault.at.at(-1) ?? '']).toEqual(fault.says);
  });

  it.each(PLAYED_BANKS)('describes every request and answer at %s', (name) => {
    forgive(document);
    ajv = new Ajv({ strict: false, allErrors: true });
    (addFormats as unknown as (one: Ajv) => void)(ajv);
    ajv.addSchema(document, 'pix');
    const seen = (banks.get(name) ?? []).filter((one) => one.path.startsWith('/pix/v2/'));
    expect(new Set(seen.map((one) => `${one.method} ${templateOf(one)}`)).size).toBeGreaterThanOrEqual(10);
    for (const one of seen) expect([one.method, one.path, ...faultsOf(one, name)]).toEqual([one.method, one.path]);
  });

  function forgive(whole: Node): void {
    for (const { at, means } of FORGIVEN) {
      const parent = nodeAt(whole, at.slice(0, -1));
      const last = at.at(-1) ?? '';
      if (means === undefined) delete parent[last];
      else parent[last] = means;
    }
  }

  function faultsOf(request: SeenRequest, name: PlayedBank): string[] {
    const template = templateOf(request);
    const operation = nodeAt(document, ['paths', template, request.method.toLowerCase()]) as unknown as Operation;
    if (operation.responses === undefined) return ['the document has no such call'];
    const faults: string[] = [];
    const { requestBody, responses } = operation;
    if (requestBody !== undefined) {
      const content = nodeAt(document, requestBody.$ref.slice(2).split('/'))['content'] as Record<string, Node>;
      faults.push(...check(content['application/json']?.['schema'], request.body, 'request'));
    }
    const answer = request.answer ?? { status: 0, body: null };
    // Errors in a form of their own, and BB's statuses, are habits of a bank that its profile knows.
    if (answer.status >= 400 && name !== 'inter') return faults;
    const status =
      answer.status < 300 ? Object.keys(responses).find((one) => one.startsWith('2')) : String(answer.status);
    const found = responses[status ?? ''] as (Operation['responses'][string] & { $ref?: string }) | undefined;
    if (found === undefined) return [...faults, `the document has no answer ${answer.status}`];
    const response =
      found.$ref === undefined ? found : (nodeAt(document, found.$ref.slice(2).split('/')) as typeof found);
    const schema = Object.values(response.content ?? {})[0]?.schema;
    return schema === undefined ? faults : [...faults, ...check(schema, answer.body, 'answer')];
  }

  function check(schema: unknown, value: unknown, what: string): string[] {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"pix#/')) as object;
    const validate: ValidateFunction = ajv.compile(absolute);
    validate(value);
    return (validate.errors ?? []).map((one) => `${what}${one.instancePath} ${one.message} (${one.schemaPath})`);
  }
});

function templateOf({ path: given }: SeenRequest): string {
  const [room = '', id, sub] = given.replace(/\?.*$/, '').slice('/pix/v2/'.length).split('/');
  if (room === 'pix')
    return sub === undefined ? (id === undefined ? '/pix' : '/pix/{e2eid}') : '/pix/{e2eid}/devolucao/{id}';
  return room === 'webhook' ? '/webhook/{chave}' : `/${room}/{txid}`;
}

const DAY_MS = 24 * 3_600_000;

/** Makes each call that the adapter knows, with its refusals. */
async function everyCall(name: PlayedBank): Promise<readonly SeenRequest[]> {
  const bank = await new FakeBank(name).start();
  const provider = createPixProvider({ allowLoopback: true, banks: { [name]: bank.addresses }, retryMs: 1 });
  const credentials = bank.credentials();
  const input = (cnpj = false) => {
    const id = randomUUID();
    return {
      idempotencyKey: id,
      externalReference: id,
      amountCentavos: 15_075,
      description: 'Fatura 42 '.repeat(40),
      payer: cnpj
        ? ({ firstName: 'Padaria Ltda', lastName: '', taxId: { kind: 'CNPJ', number: '12ABC34501DE35' } } as const)
        : ({ firstName: 'Ana', lastName: 'Souza', taxId: { kind: 'CPF', number: '52998224725' } } as const),
      notificationUrl: 'https://quita.example/unused',
      payable: { kind: 'until' as const, expiresAt: new Date(Date.now() + DAY_MS) },
      credentials,
    };
  };
  const due = {
    kind: 'due' as const,
    dueDate: new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10) as never,
    validDays: 30,
    expiresAt: new Date(Date.now() + 35 * DAY_MS),
  };
  await provider.checkCredentials(credentials);
  await provider.registerNotifications('https://quita.example/a/b', credentials);
  await provider.notificationAddress(credentials);
  const asked = input();
  const { providerPaymentId: paid } = await provider.createCharge(asked);
  await provider.createCharge({ ...asked, amountCentavos: 1 }).catch(() => null);
  const { providerPaymentId: company } = await provider.createCharge(input(true));
  const { providerPaymentId: later } = await provider.createCharge({ ...input(), payable: due });
  await provider.cancelCharge(company, credentials);
  await provider.cancelCharge(later, credentials);
  const { endToEndId } = bank.pay(paid, 15_075);
  bank.payByKey(100);
  const refund = { refundId: randomUUID(), providerPaymentId: paid, endToEndId, credentials };
  await provider.refund({ ...refund, amountCentavos: 100 });
  await provider.refund({ ...refund, amountCentavos: 100 });
  bank.giveBack(paid, 100, { natureza: 'MED_FRAUDE' });
  await provider.getCharge(paid, credentials);
  await provider.getCharge('f'.repeat(32), credentials).catch(() => null);
  const period = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + 1_000), page: null };
  await provider.listReceived(period, credentials);
  provider.close();
  await bank.stop();
  return bank.requests;
}
