import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/queries/builder.ts';
import type { SandboxCharge, SandboxChargeChange, SandboxChargeStore } from '../../messaging/ports/sandbox-store.ts';

const COLUMNS = [
  'id',
  'idempotencyKey',
  'fingerprint',
  'status',
  'statusDetail',
  'amountCentavos',
  'paidAmountCentavos',
  'refundedCentavos',
  'currency',
  'externalReference',
  'brCode',
  'notificationUrl',
  'endToEndId',
  'expiresAt',
  'paidAt',
  'createdAt',
  'updatedAt',
  'notifiedAt',
] as const satisfies readonly (keyof SandboxCharge)[];

/** The update that changes nothing makes the statement return the charge that was stored before with this key. */
const ADD_SANDBOX_CHARGE = prepared('sandbox_charge_insert', (queries, charge: SandboxCharge) =>
  queries
    .insertInto('sandbox_charges')
    .values({
      id: charge.id,
      idempotencyKey: charge.idempotencyKey,
      fingerprint: charge.fingerprint,
      status: charge.status,
      statusDetail: charge.statusDetail,
      amountCentavos: charge.amountCentavos,
      paidAmountCentavos: charge.paidAmountCentavos,
      refundedCentavos: charge.refundedCentavos,
      currency: charge.currency,
      externalReference: charge.externalReference,
      brCode: charge.brCode,
      notificationUrl: charge.notificationUrl,
      endToEndId: charge.endToEndId,
      expiresAt: charge.expiresAt,
      paidAt: charge.paidAt,
      createdAt: charge.createdAt,
      updatedAt: charge.updatedAt,
      notifiedAt: charge.notifiedAt,
    })
    .onConflict((conflict) =>
      conflict.column('idempotencyKey').doUpdateSet({ idempotencyKey: ({ ref }) => ref('excluded.idempotencyKey') }),
    )
    .returning(COLUMNS),
);

const SANDBOX_CHARGE = prepared('sandbox_charge_get', (queries, { id }: { readonly id: string }) =>
  queries.selectFrom('sandbox_charges').select(COLUMNS).where('id', '=', id),
);

const SANDBOX_CHARGES_OF_REFERENCE = prepared(
  'sandbox_charge_find',
  (queries, { externalReference }: { readonly externalReference: string }) =>
    queries
      .selectFrom('sandbox_charges')
      .select(COLUMNS)
      .where('externalReference', '=', externalReference)
      .orderBy('createdAt', 'desc'),
);

const UNNOTIFIED_SANDBOX_CHARGES = prepared('sandbox_charge_untold', (queries, { limit }: { readonly limit: number }) =>
  queries
    .selectFrom('sandbox_charges')
    .select(COLUMNS)
    .whereRef('notifiedAt', '<', 'updatedAt')
    .orderBy('updatedAt')
    .limit(limit),
);

/** What is null or absent stays as it is, because no change sets a column to null. */
const CHANGE_SANDBOX_CHARGE = prepared(
  'sandbox_charge_change',
  (queries, params: SandboxChargeChange & { readonly id: string; readonly from: readonly SandboxCharge['status'][] }) =>
    queries
      .updateTable('sandbox_charges')
      .set(({ fn, val, ref }) => ({
        status: fn.coalesce(val(params.status), ref('status')),
        statusDetail: fn.coalesce(val(params.statusDetail), ref('statusDetail')),
        paidAmountCentavos: fn.coalesce(val(params.paidAmountCentavos), ref('paidAmountCentavos')),
        refundedCentavos: fn.coalesce(val(params.refundedCentavos), ref('refundedCentavos')),
        currency: fn.coalesce(val(params.currency), ref('currency')),
        endToEndId: fn.coalesce(val(params.endToEndId), ref('endToEndId')),
        paidAt: fn.coalesce(val(params.paidAt), ref('paidAt')),
        notifiedAt: fn.coalesce(val(params.notifiedAt), ref('notifiedAt')),
        updatedAt: params.updatedAt,
      }))
      .where('id', '=', params.id)
      .where('status', '=', sql<SandboxCharge['status']>`any (${params.from}::text[])`)
      .returning(COLUMNS),
);

const SET_SANDBOX_CHARGE_NOTIFIED = prepared(
  'sandbox_charge_told',
  (queries, params: { readonly id: string; readonly notifiedAt: Date }) =>
    queries
      .updateTable('sandbox_charges')
      .set({ notifiedAt: params.notifiedAt })
      .where('id', '=', params.id)
      .where('notifiedAt', '<', params.notifiedAt),
);

/** The simulated provider is none of the clients, whose statements cannot reach its charges. */
const SCOPE = { auth: true } as const;

/** The charges of the simulated provider, for all instances. */
export const createSandboxChargeStore = (db: Pick<Database, 'readPrepared' | 'writePrepared'>): SandboxChargeStore => ({
  async insert(charge: SandboxCharge) {
    const [stored] = await db.writePrepared(SCOPE, ADD_SANDBOX_CHARGE, charge);
    return stored ?? charge;
  },

  async get(id: string) {
    const [charge] = await db.readPrepared(SCOPE, SANDBOX_CHARGE, { id });
    return charge ?? null;
  },

  findByExternalReference: (externalReference: string) =>
    db.readPrepared(SCOPE, SANDBOX_CHARGES_OF_REFERENCE, { externalReference }),

  async change(id: string, from: readonly SandboxCharge['status'][], change: SandboxChargeChange) {
    const [changed] = await db.writePrepared(SCOPE, CHANGE_SANDBOX_CHARGE, { ...change, id, from });
    return changed ?? null;
  },

  async markNotified(id: string, notifiedAt: Date) {
    await db.writePrepared(SCOPE, SET_SANDBOX_CHARGE_NOTIFIED, { id, notifiedAt });
  },

  listUnnotified: (limit: number) => db.readPrepared(SCOPE, UNNOTIFIED_SANDBOX_CHARGES, { limit }),
});
