import type { Database } from './database.ts';
import type { SandboxChargeStatus } from './entities/sandbox-charge.ts';

interface Charge {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly status: SandboxChargeStatus;
  readonly statusDetail: string | null;
  readonly amountCentavos: number;
  readonly paidAmountCentavos: number;
  readonly refundedCentavos: number;
  readonly currency: string;
  readonly externalReference: string;
  readonly brCode: string;
  readonly notificationUrl: string;
  readonly endToEndId: string | null;
  readonly expiresAt: Date;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly notifiedAt: Date;
}
type Change = Partial<Charge> & { readonly updatedAt: Date };

const COLUMNS = {
  id: 'id',
  idempotencyKey: 'idempotency_key',
  fingerprint: 'fingerprint',
  status: 'status',
  statusDetail: 'status_detail',
  amountCentavos: 'amount_centavos',
  paidAmountCentavos: 'paid_amount_centavos',
  refundedCentavos: 'refunded_centavos',
  currency: 'currency',
  externalReference: 'external_reference',
  brCode: 'br_code',
  notificationUrl: 'notification_url',
  endToEndId: 'end_to_end_id',
  expiresAt: 'expires_at',
  paidAt: 'paid_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  notifiedAt: 'notified_at',
} as const;

const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const FIELDS = names.map((name) => `${COLUMNS[name]} as "${name}"`).join(', ');

const INSERT = {
  name: 'sandbox_charge_insert',
  // The update that changes nothing makes the statement return the row that was there first.
  text: `
    insert into sandbox_charges (${names.map((name) => COLUMNS[name]).join(', ')})
    values (${names.map((_, index) => `$${index + 1}`).join(', ')})
    on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key
    returning ${FIELDS}`,
};
const GET = { name: 'sandbox_charge_get', text: `select ${FIELDS} from sandbox_charges where id = $1` };
const FIND = {
  name: 'sandbox_charge_find',
  text: `select ${FIELDS} from sandbox_charges where external_reference = $1 order by created_at desc`,
};
const UNTOLD = {
  name: 'sandbox_charge_untold',
  text: `select ${FIELDS} from sandbox_charges where notified_at < updated_at order by updated_at limit $1`,
};
const TOLD = {
  name: 'sandbox_charge_told',
  text: 'update sandbox_charges set notified_at = $2 where id = $1 and notified_at < $2',
};

/** Where the simulated provider keeps its charges, for all instances: no client's rows, so no row security. */
export const createSandboxChargeStore = ({ pool }: Pick<Database, 'pool'>) => ({
  async insert(charge: Charge): Promise<Charge> {
    const { rows } = await pool.query<Charge>({ ...INSERT, values: names.map((name) => charge[name]) });
    return rows[0] ?? charge;
  },

  async get(id: string): Promise<Charge | null> {
    return (await pool.query<Charge>({ ...GET, values: [id] })).rows[0] ?? null;
  },

  async findByExternalReference(externalReference: string): Promise<Charge[]> {
    return (await pool.query<Charge>({ ...FIND, values: [externalReference] })).rows;
  },

  async change(id: string, from: readonly SandboxChargeStatus[], change: Change): Promise<Charge | null> {
    const changed = names.filter((name) => change[name] !== undefined);
    const sets = changed.map((name, index) => `${COLUMNS[name]} = $${index + 3}`).join(', ');
    const { rows } = await pool.query<Charge>(
      `update sandbox_charges set ${sets} where id = $1 and status = any ($2) returning ${FIELDS}`,
      [id, from, ...changed.map((name) => change[name])],
    );
    return rows[0] ?? null;
  },

  async markNotified(id: string, notifiedAt: Date): Promise<void> {
    await pool.query({ ...TOLD, values: [id, notifiedAt] });
  },

  async listUnnotified(limit: number): Promise<Charge[]> {
    return (await pool.query<Charge>({ ...UNTOLD, values: [limit] })).rows;
  },
});
