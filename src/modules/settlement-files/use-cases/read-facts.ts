import { localDate } from '../../../kernel/calendar.ts';
import { keyOfEndToEnd } from '../../payments/rules/received-key.ts';
import {
  chargesByEndToEndId,
  chargesByTxid,
  type FoundPayment,
  receivedByKey,
  recordedPayments,
} from '../queries/known-payments.ts';
import type { KeyedPayment, KnownFacts, NamedCharge, RecordedPayment, StoredPayment } from '../rules/plan-rows.ts';
import type { SettlementFileDeps } from './deps.ts';
import { eachInTurn, inBatches } from './in-batches.ts';
import { type ReadDebts, readDebts } from './read-debts.ts';

const AT_ONCE = 1_000;
/** America/Sao_Paulo, by whose days banks and offices write. */
const OFFSET = -3;

/** Returns what the same day and the same payment are judged by. */
export const toRecorded = (found: FoundPayment): RecordedPayment => {
  const { paidCentavos, paidAt, key, endToEndId, invoiceId, identityId, bookedOn } = found;
  return {
    amountCentavos: paidCentavos,
    paidOn: localDate(paidAt.getTime(), OFFSET),
    key: key ?? (endToEndId === null ? null : keyOfEndToEnd(endToEndId)),
    otherInvoice: bookedOn === identityId ? null : invoiceId,
  };
};

/** Reads all that decides about the rows of a file. */
export async function readFacts(
  deps: SettlementFileDeps,
  clientId: string,
  payments: readonly KeyedPayment[],
): Promise<KnownFacts> {
  const debts = await readDebts(deps, clientId, payments);
  return {
    ...debts,
    stored: await readStored(deps, clientId, payments),
    recorded: await readRecorded(deps, clientId, debts),
    charges: await readCharges(deps, clientId, payments),
  };
}

/** A person's second equal payment of a day is stored under a key of its own. */
async function withRepetitions(payments: readonly KeyedPayment[]): Promise<string[]> {
  const times = new Map<string, number>();
  const keys: string[] = [];
  await eachInTurn(payments, ({ key }) => {
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    keys.push(count === 1 ? key : `${key}#${count}`);
  });
  return keys;
}

async function readStored({ db }: SettlementFileDeps, clientId: string, payments: readonly KeyedPayment[]) {
  const stored = new Map<string, StoredPayment>();
  await inBatches(await withRepetitions(payments), AT_ONCE, async (keys) => {
    const rows = await db.tenant(clientId).transactional((tx) => receivedByKey(tx, clientId, keys));
    for (const row of rows) stored.set(row.key, row);
  });
  return stored;
}

async function readRecorded({ db }: SettlementFileDeps, clientId: string, { all }: ReadDebts) {
  const recorded = new Map<string, RecordedPayment[]>();
  await inBatches(all, AT_ONCE, async (part) => {
    const identityIds = part.map(({ identityId }) => identityId);
    const found = await db.tenant(clientId).transactional((tx) => recordedPayments(tx, identityIds));
    const byDebt = Map.groupBy(found, ({ identityId }) => identityId);
    for (const { debt, identityId } of part) recorded.set(debt.id, (byDebt.get(identityId) ?? []).map(toRecorded));
  });
  return recorded;
}

async function readCharges({ db }: SettlementFileDeps, clientId: string, payments: readonly KeyedPayment[]) {
  const charges = new Map<string, NamedCharge>();
  await inBatches(payments, AT_ONCE, async (part) => {
    const txids = part.flatMap(({ txid }) => txid?.toLowerCase() ?? []);
    const endToEndIds = part.flatMap(({ endToEndId }) => endToEndId ?? []);
    if (txids.length + endToEndIds.length === 0) return;
    const found = await db
      .tenant(clientId)
      .transactional(async (tx) => [
        ...(txids.length === 0 ? [] : await chargesByTxid(tx, clientId, txids)),
        ...(endToEndIds.length === 0 ? [] : await chargesByEndToEndId(tx, clientId, endToEndIds)),
      ]);
    for (const { id, debtId, providerPaymentKey, endToEndId, paidCentavos } of found) {
      const charge = { id, debtId, isPaid: paidCentavos > 0 };
      if (providerPaymentKey !== null) charges.set(providerPaymentKey, charge);
      if (endToEndId !== null) charges.set(endToEndId.toUpperCase(), charge);
    }
  });
  return charges;
}
