import type { Database } from '../../../platform/database/database.ts';
import type { SandboxCharge, SandboxChargeChange, SandboxChargeStore } from '../../messaging/ports/sandbox-store.ts';
import {
  ADD_SANDBOX_CHARGE,
  CHANGE_SANDBOX_CHARGE,
  SANDBOX_CHARGE,
  SANDBOX_CHARGES_OF_REFERENCE,
  SET_SANDBOX_CHARGE_NOTIFIED,
  UNNOTIFIED_SANDBOX_CHARGES,
} from './sandbox-charges.ts';

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
