import type {
  SandboxCharge,
  SandboxChargeStore,
  SandboxOutboxItem,
  SandboxOutboxStore,
} from '../src/modules/messaging/ports/sandbox-store.ts';

export function memorySandboxChargeStore(): SandboxChargeStore {
  const charges = new Map<string, SandboxCharge>();
  return {
    async insert(charge) {
      const known = [...charges.values()].find((one) => one.idempotencyKey === charge.idempotencyKey);
      if (known !== undefined) return known;
      charges.set(charge.id, charge);
      return charge;
    },
    get: async (id) => charges.get(id) ?? null,
    findByExternalReference: async (reference) =>
      [...charges.values()].filter((one) => one.externalReference === reference).reverse(),
    async change(id, from, change) {
      const charge = charges.get(id);
      if (charge === undefined || !from.includes(charge.status)) return null;
      const changed = { ...charge, ...change };
      charges.set(id, changed);
      return changed;
    },
    async markNotified(id, notifiedAt) {
      const charge = charges.get(id);
      if (charge !== undefined && charge.notifiedAt < notifiedAt) charges.set(id, { ...charge, notifiedAt });
    },
    listUnnotified: async (limit) =>
      [...charges.values()]
        .filter((one) => one.notifiedAt < one.updatedAt)
        .sort((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime())
        .slice(0, limit),
  };
}

export function memorySandboxOutbox(): SandboxOutboxStore & { readonly items: SandboxOutboxItem[] } {
  const items: SandboxOutboxItem[] = [];
  return {
    items,
    async insert(item) {
      if (!items.some((one) => one.id === item.id)) items.push(item);
    },
  };
}
