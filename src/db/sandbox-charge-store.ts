import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './queries/builder.ts';
import {
  ADD_SANDBOX_CHARGE,
  CHANGE_SANDBOX_CHARGE,
  SANDBOX_CHARGE,
  SANDBOX_CHARGES_OF_REFERENCE,
  SET_SANDBOX_CHARGE_NOTIFIED,
  UNNOTIFIED_SANDBOX_CHARGES,
} from './queries/sandbox-charges.ts';

type Charge = Readonly<Selectable<Tables['sandbox_charges']>>;
type Change = Partial<Charge> & Pick<Charge, 'updatedAt'>;

/**
 * The charges of the simulated provider, for all instances. They belong to no client and have no row security, so that
 * the statements need no scope.
 */
export const createSandboxChargeStore = (db: Pick<Database, 'callRoutine'>) => ({
  async insert(charge: Charge): Promise<Charge> {
    const [stored] = await db.callRoutine(ADD_SANDBOX_CHARGE, charge);
    return stored ?? charge;
  },

  async get(id: string): Promise<Charge | null> {
    const [charge] = await db.callRoutine(SANDBOX_CHARGE, { id });
    return charge ?? null;
  },

  findByExternalReference: (externalReference: string): Promise<Charge[]> =>
    db.callRoutine(SANDBOX_CHARGES_OF_REFERENCE, { externalReference }),

  async change(id: string, from: readonly Charge['status'][], change: Change): Promise<Charge | null> {
    const [changed] = await db.callRoutine(CHANGE_SANDBOX_CHARGE, { ...change, id, from });
    return changed ?? null;
  },

  async markNotified(id: string, notifiedAt: Date): Promise<void> {
    await db.callRoutine(SET_SANDBOX_CHARGE_NOTIFIED, { id, notifiedAt });
  },

  listUnnotified: (limit: number): Promise<Charge[]> => db.callRoutine(UNNOTIFIED_SANDBOX_CHARGES, { limit }),
});
