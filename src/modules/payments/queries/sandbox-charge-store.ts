import { sql } from 'kysely';
import type { SandboxReversal } from '../../../kernel/reversal-kinds.ts';
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
  'reversals',
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
  (
    queries,
    params: Omit<SandboxChargeChange, 'reversal'> & {
      readonly id: string;
      readonly from: readonly SandboxCharge['status'][];
      /** A list of one or none, as JSON. */
      readonly reversals: string;
    },
  ) =>
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
        reversals: sql<readonly SandboxReversal[]>`reversals || ${params.reversals}::jsonb`,
      }))
      .where('id', '=', params.id)
      .where('status', '=', sql<SandboxCharge['status']>`any (${params.from}::text[])`)
      .returning(COLUMNS),
);

interface GivingBack {
  readonly id: string;
  readonly amountCentavos: number;
  readonly updatedAt: Date;
  /** A list with the reversal, as JSON. */
  readonly reversals: string;
  /** A list with its id alone, as JSON. */
  readonly known: string;
}

const GIVE_BACK_SANDBOX_CHARGE = prepared('sandbox_charge_give_back', (queries, params: GivingBack) =>
  queries
    .updateTable('sandbox_charges')
    .set({
      status: sql<SandboxCharge['status']>`case when refunded_centavos + ${params.amountCentavos}::bigint
        >= paid_amount_centavos then 'refunded' else status end`,
      statusDetail: sql<string>`case when refunded_centavos + ${params.amountCentavos}::bigint
        >= paid_amount_centavos then 'refunded' else 'partially_refunded' end`,
      refundedCentavos: sql<number>`refunded_centavos + ${params.amountCentavos}::bigint`,
      // Receivers compare the moments of two changes.
      updatedAt: sql<Date>`greatest(${params.updatedAt}::timestamptz, updated_at + interval '1 millisecond')`,
      reversals: sql<readonly SandboxReversal[]>`reversals || ${params.reversals}::jsonb`,
    })
    .where('id', '=', params.id)
    .where('status', '=', 'approved')
    .where(sql<boolean>`paid_amount_centavos - refunded_centavos >= ${params.amountCentavos}::bigint`)
    .where(sql<boolean>`not reversals @> ${params.known}::jsonb`)
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

  async change(id: string, from: readonly SandboxCharge['status'][], { reversal, ...change }: SandboxChargeChange) {
    const reversals = JSON.stringify(reversal === undefined ? [] : [reversal]);
    const [changed] = await db.writePrepared(SCOPE, CHANGE_SANDBOX_CHARGE, { ...change, id, from, reversals });
    return changed ?? null;
  },

  async giveBack(id: string, reversal: SandboxReversal, updatedAt: Date) {
    const { amountCentavos } = reversal;
    const [changed] = await db.writePrepared(SCOPE, GIVE_BACK_SANDBOX_CHARGE, {
      id,
      amountCentavos,
      updatedAt,
      reversals: JSON.stringify([reversal]),
      known: JSON.stringify([{ id: reversal.id }]),
    });
    return changed ?? null;
  },

  async markNotified(id: string, notifiedAt: Date) {
    await db.writePrepared(SCOPE, SET_SANDBOX_CHARGE_NOTIFIED, { id, notifiedAt });
  },

  listUnnotified: (limit: number) => db.readPrepared(SCOPE, UNNOTIFIED_SANDBOX_CHARGES, { limit }),
});
