import type { Tx } from '../../../platform/database/tx.ts';
import { readAgreements } from '../../agreements/queries/agreements.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { debtorDay, indebtedFor } from '../../debts/use-cases/owed.ts';
import { creditsOf } from '../../terms/rules/credits.ts';
import { amountsOfDebts, debtsByInvoice, debtsByTaxId, type FoundDebt, openAmounts } from '../queries/debts-of-file.ts';
import { invoiceKeyOf, invoiceName, invoicesInText, widerForms } from '../rules/invoice-words.ts';
import type { DebtOfInvoice, DebtsOfFile, Payment } from '../rules/match-row.ts';
import type { DebtAmounts, MatchableDebt } from '../rules/matchable-debt.ts';
import type { SettlementFileDeps } from './deps.ts';
import { eachInTurn, inBatches } from './in-batches.ts';

const ROWS_AT_ONCE = 500;
const KEYS_AT_ONCE = 2_000;
const DEBTS_AT_ONCE = 250;

type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
type FoundByInvoice = FoundDebt & { readonly invoiceKey: string };

/** All debts that rows of the file may be about. */
export interface ReadDebts extends DebtsOfFile {
  readonly all: readonly { readonly debt: MatchableDebt; readonly identityId: string }[];
}

/** Finds the debts of the rows of a file by few statements, each of its own short transaction. */
export async function readDebts(
  { db, policy }: SettlementFileDeps,
  clientId: string,
  payments: readonly Payment[],
): Promise<ReadDebts> {
  const read: Read = (work) => db.tenant(clientId).transactional(work);
  const byInvoice = await findByInvoice(read, clientId, payments);
  const isNamed = ({ invoiceId, ourNumber }: Payment): boolean =>
    [invoiceId, ourNumber].some((written) => written !== null && byInvoice.has(invoiceName(invoiceKeyOf(written))));
  const others: Payment[] = [];
  await eachInTurn(payments, (payment) => {
    if (!isNamed(payment)) others.push(payment);
  });
  const ofPersons: FoundDebt[] = [];
  const taxIds = [...new Set(others.flatMap(({ taxId }) => taxId ?? []))];
  await inBatches(taxIds, ROWS_AT_ONCE, async (part) => {
    ofPersons.push(...(await read((tx) => debtsByTaxId(tx, clientId, part))));
  });
  const ofMemos: FoundDebt[] = [];
  await eachInTurn(others, ({ memo }) => {
    for (const word of memo === null ? [] : invoicesInText(memo)) {
      ofMemos.push(...(byInvoice.get(invoiceName(word)) ?? []));
    }
  });
  const counted = new Set([...ofPersons, ...ofMemos].map(({ id }) => id));
  const amounts = await readAmounts(read, policy, [...counted]);
  const debts = new Map<string, { readonly debt: MatchableDebt; readonly identityId: string }>();
  await eachInTurn([...[...byInvoice.values()].flat(), ...ofPersons], (found) => {
    if (!debts.has(found.id)) debts.set(found.id, { debt: toDebt(found, amounts), identityId: found.identityId });
  });
  const debtOf = ({ id }: FoundDebt): MatchableDebt => debts.get(id)!.debt;
  const named = new Map<string, DebtOfInvoice[]>();
  await eachInTurn([...byInvoice], ([name, all]) => {
    named.set(
      name,
      all.map((found) => ({ invoiceKey: found.invoiceKey, debt: debtOf(found) })),
    );
  });
  const alone = others.filter(({ invoiceId, ourNumber, taxId }) => (invoiceId ?? ourNumber ?? taxId) === null);
  return {
    all: [...debts.values()],
    byInvoice: named,
    byTaxId: Map.groupBy(ofPersons.map(debtOf), ({ taxId }) => taxId),
    openAmounts: await readOpenAmounts(read, clientId, alone),
  };
}

const toDebt = (
  { id, sandbox, taxId, invoiceId, dueDate, status, agreementId }: FoundDebt,
  amounts: ReadonlyMap<string, DebtAmounts>,
): MatchableDebt => ({
  ...{ id, sandbox, taxId, invoiceId, dueDate, agreementId },
  isPaid: status === 'PAID',
  amounts: amounts.get(id) ?? null,
});

async function findByInvoice(
  read: Read,
  clientId: string,
  payments: readonly Payment[],
): Promise<Map<string, FoundByInvoice[]>> {
  const found = new Map<string, FoundByInvoice[]>();
  const find = (keys: readonly string[]) =>
    inBatches(keys, KEYS_AT_ONCE, async (part) => {
      for (const debt of await read((tx) => debtsByInvoice(tx, clientId, part))) {
        const name = invoiceName(debt.invoiceKey);
        found.set(name, [...(found.get(name) ?? []), debt]);
      }
    });
  const written = new Set<string>();
  const inTexts = new Set<string>();
  await inBatches(payments, ROWS_AT_ONCE, (part) => {
    for (const { invoiceId, ourNumber, memo } of part) {
      for (const one of [invoiceId, ourNumber]) if (one !== null) written.add(invoiceKeyOf(one));
      for (const word of memo === null ? [] : invoicesInText(memo)) inTexts.add(word);
    }
  });
  const names = new Set<string>();
  const forms = new Set<string>();
  await eachInTurn([...written], (key) => {
    names.add(invoiceName(key));
    forms.add(key).add(invoiceName(key));
  });
  await eachInTurn([...inTexts], (word) => void forms.add(word).add(invoiceName(word)));
  await find([...forms]);
  // A program writes zeros in front of what a spreadsheet has without them.
  await inBatches(
    [...names].filter((name) => !found.has(name)),
    ROWS_AT_ONCE,
    (part) => find([...new Set(part.flatMap(widerForms))]),
  );
  return found;
}

async function readAmounts(
  read: Read,
  policy: SettlementFileDeps['policy'],
  debtIds: readonly string[],
): Promise<ReadonlyMap<string, DebtAmounts>> {
  const amounts = new Map<string, DebtAmounts>();
  await inBatches(debtIds, DEBTS_AT_ONCE, async (part) => {
    const { rows, agreements } = await read(async (tx) => {
      const rows = await amountsOfDebts(tx, part);
      const agreementIds = [...new Set(rows.flatMap(({ agreed }) => agreed?.agreementId ?? []))];
      return { rows, agreements: await readAgreements(tx, agreementIds) };
    });
    for (const row of rows) {
      amounts.set(row.id, {
        indebted: indebtedFor(row, policy.holidays),
        credits: creditsOf(row.credits),
        agreement: agreements.find(({ id }) => id === row.agreed?.agreementId) ?? null,
        dayOf: (at) => debtorDay(row, debtNow(row.clockOffsetMs, at.getTime())),
      });
    }
  });
  return amounts;
}

async function readOpenAmounts(read: Read, clientId: string, alone: readonly Payment[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const centavos = [...new Set(alone.map(({ amountCentavos }) => amountCentavos))];
  await inBatches(centavos, KEYS_AT_ONCE, async (part) => {
    for (const amount of await read((tx) => openAmounts(tx, clientId, part))) found.add(amount);
  });
  return found;
}
