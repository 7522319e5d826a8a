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
    async change(id, from, { reversal, ...change }) {
      const charge = charges.get(id);
      if (charge === undefined || !from.includes(charge.status)) return null;
      const added = reversal === undefined ? [] : [reversal];
      const changed = { ...charge, ...change, reversals: [...charge.reversals, ...added] };
      charges.set(id, changed);
      return changed;
    },
    async giveBack(id, reversal, updatedAt) {
      const charge = charges.get(id);
      if (charge === undefined || charge.status !== 'approved') return null;
      const refundedCentavos = charge.refundedCentavos + reversal.amountCentavos;
      const isKnown = charge.reversals.some((one) => one.id === reversal.id);
      if (isKnown || refundedCentavos > charge.paidAmountCentavos) return null;
      const isWhole = refundedCentavos === charge.paidAmountCentavos;
      const changed: SandboxCharge = {
        ...charge,
        status: isWhole ? 'refunded' : 'approved',
        statusDetail: isWhole ? 'refunded' : 'partially_refunded',
        refundedCentavos,
        updatedAt: new Date(Math.max(updatedAt.getTime(), charge.updatedAt.getTime() + 1)),
        reversals: [...charge.reversals, reversal],
      };
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
