/**
 * The guarantees of every store of sandbox charges. The tests run for the store in memory and the one in PostgreSQL.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SandboxCharge, SandboxChargeStore } from '../../src/modules/messaging/ports/sandbox-store.ts';

export function sandboxChargeStoreSuite(
  name: string,
  makeStore: () => SandboxChargeStore | Promise<SandboxChargeStore>,
) {
  describe(`sandbox charge store ${name}`, () => {
    let store: SandboxChargeStore;
    beforeEach(async () => {
      store = await makeStore();
    });

    it('returns a stored charge unchanged', async () => {
      const charge = newCharge();
      expect(await store.insert(charge)).toEqual(charge);
      expect(await store.get(charge.id)).toEqual(charge);
      expect(await store.get(`sbx_${randomUUID()}`)).toBeNull();
      expect(await store.get("sbx_';--")).toBeNull();
    });

    it('stores one charge for one key, also for concurrent calls', async () => {
      const idempotencyKey = randomUUID();
      const stored = await Promise.all(Array.from({ length: 8 }, () => store.insert(newCharge({ idempotencyKey }))));
      expect(new Set(stored.map((one) => one.id)).size).toBe(1);
    });

    it('finds charges by reference, the newest first', async () => {
      const externalReference = randomUUID();
      const older = newCharge({ externalReference, createdAt: new Date(1_000) });
      const newer = newCharge({ externalReference, createdAt: new Date(2_000) });
      await store.insert(older);
      await store.insert(newer);
      await store.insert(newCharge());
      expect((await store.findByExternalReference(externalReference)).map((one) => one.id)).toEqual([
        newer.id,
        older.id,
      ]);
    });

    it('changes a charge only from the statuses named, and only once at a time', async () => {
      const charge = await store.insert(newCharge());
      const change = {
        status: 'approved',
        statusDetail: 'accredited',
        paidAmountCentavos: 5,
        paidAt: new Date(3_000),
        endToEndId: 'E1',
        updatedAt: new Date(3_000),
      } as const;
      const results = await Promise.all(Array.from({ length: 8 }, () => store.change(charge.id, ['pending'], change)));
      expect(results.filter((one) => one !== null)).toEqual([{ ...charge, ...change }]);
      expect(await store.get(charge.id)).toEqual({ ...charge, ...change });
      expect(await store.change(`sbx_${randomUUID()}`, ['pending'], change)).toBeNull();
    });

    it('gives back each reversal once, and never more than was paid', async () => {
      const charge = await store.insert(newCharge({ status: 'approved', paidAmountCentavos: 100 }));
      const reversal = (id: string, amountCentavos: number) =>
        ({ id, kind: 'refund', amountCentavos, at: new Date(2_000).toISOString() }) as const;
      const give = (id: string, amountCentavos: number) =>
        store.giveBack(charge.id, reversal(id, amountCentavos), new Date(2_000));
      const same = await Promise.all(Array.from({ length: 8 }, () => give('a', 60)));
      expect(same.filter((one) => one !== null)).toMatchObject([{ status: 'approved', refundedCentavos: 60 }]);
      expect(await give('b', 41)).toBeNull();
      expect(await give('c', 40)).toMatchObject({ status: 'refunded', refundedCentavos: 100 });
      const stored = await store.get(charge.id);
      expect(stored?.reversals).toEqual([reversal('a', 60), reversal('c', 40)]);
      expect(stored!.updatedAt.getTime()).toBeGreaterThan(2_000);
      expect(await give('d', 1)).toBeNull();
    });

    it('lists changes without a notification, the oldest first', async () => {
      const told = await store.insert(newCharge());
      const late = await store.insert(newCharge({ updatedAt: new Date(9_000) }));
      const early = await store.insert(newCharge({ updatedAt: new Date(8_000) }));
      const ids = async (limit: number) => (await store.listUnnotified(limit)).map((one) => one.id);
      expect(await ids(10)).toEqual([early.id, late.id]);
      expect(await ids(1)).toEqual([early.id]);
      await store.markNotified(early.id, early.updatedAt);
      expect(await ids(10)).toEqual([late.id]);
      expect(await ids(10)).not.toContain(told.id);
    });

    it('never lowers the moment of the last notification', async () => {
      const charge = await store.insert(newCharge({ updatedAt: new Date(9_000) }));
      await store.markNotified(charge.id, new Date(9_000));
      await store.markNotified(charge.id, new Date(8_000));
      expect(await store.listUnnotified(10)).toEqual([]);
    });
  });
}

function newCharge(change: Partial<SandboxCharge> = {}): SandboxCharge {
  const at = new Date(1_000);
  return {
    id: `sbx_${randomUUID()}`,
    idempotencyKey: randomUUID(),
    fingerprint: 'f'.repeat(64),
    status: 'pending',
    statusDetail: null,
    amountCentavos: 9_999_999_999,
    paidAmountCentavos: 0,
    refundedCentavos: 0,
    currency: 'BRL',
    externalReference: randomUUID(),
    brCode: '000201',
    notificationUrl: 'https://x.example/api/payments/webhook?account=a',
    endToEndId: null,
    expiresAt: new Date(50_000),
    paidAt: null,
    createdAt: at,
    updatedAt: at,
    notifiedAt: at,
    reversals: [],
    ...change,
  };
}
