import type { SandboxCharge, SandboxChargeChange, SandboxChargeStore } from '../ports/sandbox-store.ts';
import type { Database } from './database.ts';
import {
  ADD_SANDBOX_CHARGE,
  CHANGE_SANDBOX_CHARGE,
  SANDBOX_CHARGE,
  SANDBOX_CHARGES_OF_REFERENCE,
  SET_SANDBOX_CHARGE_NOTIFIED,
  UNNOTIFIED_SANDBOX_CHARGES,
} from './queries/sandbox-charges.ts';

/**
 * The charges of the simulated provider, for all instances. They belong to no client and have no row security, so that
 * the statements need no scope.
 */
export const createSandboxChargeStore = (db: Pick<Database, 'runUnscoped'>): SandboxChargeStore => ({
  async insert(charge: SandboxCharge) {
    const [stored] = await db.runUnscoped(ADD_SANDBOX_CHARGE, charge);
    return stored ?? charge;
  },

  async get(id: string) {
    const [charge] = await db.runUnscoped(SANDBOX_CHARGE, { id });
    return charge ?? null;
  },

  findByExternalReference: (externalReference: string) =>
    db.runUnscoped(SANDBOX_CHARGES_OF_REFERENCE, { externalReference }),

  async change(id: string, from: readonly SandboxCharge['status'][], change: SandboxChargeChange) {
    const [changed] = await db.runUnscoped(CHANGE_SANDBOX_CHARGE, { ...change, id, from });
    return changed ?? null;
  },

  async markNotified(id: string, notifiedAt: Date) {
    await db.runUnscoped(SET_SANDBOX_CHARGE_NOTIFIED, { id, notifiedAt });
  },

  listUnnotified: (limit: number) => db.runUnscoped(UNNOTIFIED_SANDBOX_CHARGES, { limit }),
});
