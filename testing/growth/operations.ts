import { API_KEY_PREFIX, hashToken, newOpaqueToken } from '../../src/modules/accounts/use-cases/opaque-token.ts';
import { clientsWithLateDebts, lateDebts } from '../../src/modules/collection/queries/lost-workflows.ts';
import { resumableDebts } from '../../src/modules/collection/queries/paused-debts.ts';
import { DUE_DIGESTS } from '../../src/modules/debts/queries/inbox-digests.ts';
import { TAKE_DUE_CHARGES } from '../../src/modules/payments/queries/reconciliation.ts';
import { CLIENTS_WITH_DEBTS_TO_PURGE } from '../../src/modules/privacy/queries/ended-debts.ts';
import { PURGES } from '../../src/modules/privacy/queries/purges.ts';
import { eraseDebtor } from '../../src/modules/privacy/use-cases/erase-debtor.ts';
import { purgeEndedDebts } from '../../src/modules/privacy/use-cases/purge-ended-debts.ts';
import { CLIENTS_WITH_RECEIPTS_TO_SHORTEN } from '../../src/modules/receipts/queries/receipt-shortening.ts';
import type { CampaignsApp } from '../campaigns-app.ts';
import { cpfOf, debtInput } from '../debts.ts';
import type { Engine } from '../engine.ts';

export interface Operation {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** How often it is measured, when it is slow or may be done only so often. */
  readonly most?: number;
}

/** How many debts one import brings. */
export const IMPORTED = 5_000;

const NIL = '00000000-0000-0000-0000-000000000000';

interface Large {
  readonly id: string;
  readonly campaignId: string;
  readonly debts: number;
}

const largestClient = async ({ query }: Pick<CampaignsApp, 'query'>): Promise<Large> =>
  (
    await query<Large>(
      `select client_id as id, min(campaign_id::text) as "campaignId", sum(debts)::int as debts
       from campaign_status_counts group by 1 order by 3 desc limit 1`,
    )
  )[0]!;

/** Imports debts that nobody has imported before into a new campaign of the client. */
export function createImport(
  app: Pick<CampaignsApp, 'call'>,
  { clientId, bearer }: { readonly clientId: string; readonly bearer: string },
): () => Promise<void> {
  // Another run on the same database imports other debts.
  let next = (Math.floor(Date.now() / 1_000) % 100_000) * IMPORTED;
  return async () => {
    const created = await app.call<{ id: string }>('POST', '/api/campaigns', { body: { name: 'Novas' }, bearer });
    const debts = Array.from({ length: IMPORTED }, (_, at) => {
      const n = next + at;
      return debtInput(n, { debtorCpf: cpfOf(400_000_000 + n), invoiceId: `NOVA-${n}` });
    });
    next += IMPORTED;
    const { status, body } = await app.call('POST', `/api/import/json/${created.body.id}`, {
      body: { clientId, debts },
      bearer,
    });
    if (status !== 200 || body['imported'] !== IMPORTED) throw new Error(`The import answered ${status}`);
  };
}

/** What the service does with the data of its largest client, and the scans over all clients. */
export async function operationsOn(app: CampaignsApp, engine: Engine): Promise<Operation[]> {
  const large = await largestClient(app);
  const bearer = `${API_KEY_PREFIX}${newOpaqueToken()}`;
  await app.query('update api_keys set revoked_at = now() where client_id = $1 and revoked_at is null', [large.id]);
  await app.query('insert into api_keys (client_id, key_hash) values ($1, $2)', [large.id, hashToken(bearer)]);
  const some = (status: string, most: number) =>
    app.query<{ id: string; cpf: string }>(
      `select id, debtor_tax_id as cpf from debts where campaign_id = $1 and status = $2 order by position limit ${most}`,
      [large.campaignId, status],
    );
  const [live, ended] = [await some('IN_COLLECTION', 200), await some('EXHAUSTED', 50)];
  let turn = 0;
  const next = <T>(list: readonly T[]): T => list[turn++ % list.length]!;

  const get = (path: string) => async () => {
    const { status } = await app.get(path, bearer);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  };
  const post = (path: string, body: () => object) => async () => {
    const { status } = await app.call('POST', path, { body: body(), bearer, headers: { accept: '*/*' } });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  };
  const campaign = `/api/campaigns/${large.campaignId}`;
  const search = (body: () => object) => post('/api/debts/search', body);
  const anyNumber = () => (turn++ * 7919) % Math.floor(large.debts / 2);
  const wanted = { campaignId: null, overdueSince: new Date(), sandboxMaxWaitMs: 2_000 };
  const { db, deps } = engine;
  const inSystem = (work: (tx: ReturnType<typeof db.system>) => Promise<unknown>) => () =>
    db.system().transactional(work);

  return [
    { name: 'list', run: get(`${campaign}/debts?limit=100`) },
    { name: 'list-by-status', run: get(`${campaign}/debts?limit=100&status=DISPUTED`) },
    { name: 'list-by-invoice', run: get(`${campaign}/debts?invoiceId=NF-777`) },
    { name: 'timeline', run: async () => get(`/api/debts/${next(live).id}`)() },
    { name: 'search-name', run: search(() => ({ q: 'maria silva', limit: 50, sort: 'name' })) },
    { name: 'search-cpf', run: search(() => ({ q: next(live).cpf, limit: 50 })) },
    { name: 'search-phone', run: search(() => ({ q: `11 9${String(anyNumber()).padStart(8, '0')}`, limit: 50 })) },
    { name: 'search-invoice', run: search(() => ({ q: `NF-${anyNumber()}`, limit: 50 })) },
    { name: 'search-campaign', run: search(() => ({ campaignId: large.campaignId, status: ['DISPUTED'], limit: 50 })) },
    {
      name: 'export',
      run: post('/api/debts/export', () => ({ campaignId: large.campaignId, status: ['DISPUTED'] })),
      most: 5,
    },
    { name: 'dashboard', run: get('/api/dashboard') },
    { name: 'statistics', run: get(`${campaign}/statistics`) },
    { name: 'campaigns', run: get('/api/campaigns?include=statistics') },
    { name: 'inbox', run: get('/api/inbox?limit=50') },
    { name: 'inbox-by-reason', run: get('/api/inbox?reason=disputed&limit=50') },
    { name: 'feed', run: get('/api/events?limit=100') },
    { name: 'import', run: createImport(app, { clientId: large.id, bearer }), most: 5 },
    {
      name: 'gate',
      run: () => engine.contact({ id: next(live).id, clientId: large.id, campaignId: large.campaignId }),
      most: 100,
    },
    {
      name: 'reconciliation',
      run: () =>
        db.runUnscoped(TAKE_DUE_CHARGES, {
          dueBy: new Date(),
          leasedUntil: new Date(Date.now() + 60_000),
          most: 50,
          after: NIL,
          without: [],
        }),
    },
    {
      name: 'lost-workflows',
      run: inSystem(async (tx) => {
        await clientsWithLateDebts(tx, wanted);
        await lateDebts(tx, wanted, { clientId: large.id, after: null, limit: 500 });
      }),
    },
    { name: 'paused-debts', run: inSystem((tx) => resumableDebts(tx, 500)) },
    {
      name: 'digests',
      run: () => db.readPrepared({}, DUE_DIGESTS, { gatherSeconds: 600, everySeconds: 3_600, live: true, limit: 100 }),
    },
    { name: 'shortening', run: () => db.readPrepared({}, CLIENTS_WITH_RECEIPTS_TO_SHORTEN, { at: new Date() }) },
    {
      name: 'purge-expired',
      run: async () => {
        for (const purge of PURGES) await db.system().transactional(purge);
      },
      most: 5,
    },
    { name: 'purge-clients', run: () => db.readPrepared({}, CLIENTS_WITH_DEBTS_TO_PURGE, {}) },
    { name: 'purge-batch', run: () => purgeOneBatch(engine), most: 100 },
    {
      name: 'erasure',
      run: () => eraseDebtor({ db, now: deps.now, personKeys: deps.personKeys })(next(ended).cpf),
      most: 20,
    },
  ];
}

/** One batch of the purge, of the first client that has one. */
async function purgeOneBatch({ db, deps }: Engine): Promise<void> {
  const enough = new Error('one batch');
  let batches = 0;
  const alive = (): void => {
    batches += 1;
    if (batches > 1) throw enough;
  };
  await purgeEndedDebts({ db, now: deps.now, note: deps.note })(alive).catch((error: unknown) => {
    if (error !== enough) throw error;
  });
}
