import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { parsePaymentMoment } from '../../debts/rules/payment-moment.ts';
import { insertReceived } from '../../payments/queries/received-payments.ts';
import { askSoon } from '../queries/known-payments.ts';
import { MAX_SETTLEMENT_ROWS } from '../rules/limits.ts';
import { paymentKey } from '../rules/payment-key.ts';
import { compareForMatching, type KeyedPayment, type PlannedRow, planRows } from '../rules/plan-rows.ts';
import type { FileRow } from '../rules/received-row.ts';
import type { SettlementFileDeps } from './deps.ts';
import { parseColumns } from './given-columns.ts';
import { eachInTurn, inBatches, sortInTurns } from './in-batches.ts';
import { readFacts } from './read-facts.ts';
import { settleRow } from './settle-row.ts';

export interface SettlementFileRequest {
  readonly clientId: string;
  readonly bytes: Uint8Array;
  /** The mapping as JSON text. */
  readonly columns: string | undefined;
  readonly checkOnly: boolean;
  readonly source: RequestSource;
}

export type ItemState = 'settled' | 'matched' | 'unmatched' | 'ambiguous' | 'known' | 'invalid';

export interface SettlementItem {
  readonly row: number;
  readonly state: ItemState;
  readonly settlementId: string | null;
  readonly debtId: string | null;
  readonly invoiceId: string | null;
  readonly amountCentavos: number | null;
  readonly paidAt: Date | null;
  readonly code: string | null;
}

/** Each needs a connection of the database, which other requests need too. */
const SETTLED_AT_ONCE = 4;
const STORED_AT_ONCE = 200;

const problem = (pointer: string, code: string, message: string): AppError =>
  new AppError('validation_failed', { errors: [{ pointer, code, message }] });

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  too_short: 'The file holds no payment',
  too_long: `A file has at most ${MAX_SETTLEMENT_ROWS} payments`,
  unsupported_format: 'A CSV, an XLSX workbook, an OFX statement or a return file CNAB 240 or 400 is expected',
  required: 'No columns hold an invoice or a CPF, a date and an amount: name them in `columns`',
};

async function readRows(
  { settlementFiles }: SettlementFileDeps,
  { clientId, bytes, columns }: SettlementFileRequest,
): Promise<readonly FileRow[]> {
  const file = await settlementFiles.read({ clientId, bytes, columns: parseColumns(columns) });
  if (file.kind === 'unreadable') {
    const { code } = file;
    if (code === 'unknown_header') {
      throw problem('/columns', code, 'A header does not stand in this file: they are compared exactly');
    }
    throw problem('/file', code, FILE_PROBLEMS[code] ?? 'The file is damaged, or its end is missing');
  }
  return file.rows;
}

interface Rows {
  readonly payments: readonly KeyedPayment[];
  readonly items: Map<number, SettlementItem>;
}

const nothing = { settlementId: null, debtId: null, invoiceId: null, amountCentavos: null, paidAt: null } as const;

/** Gives each payment its key, and sets aside what is none. The place of a row in the file tells it from all others. */
async function toPayments({ now, personKeys }: SettlementFileDeps, rows: readonly FileRow[]): Promise<Rows> {
  const payments: KeyedPayment[] = [];
  const items = new Map<number, SettlementItem>();
  let place = 0;
  await eachInTurn(rows, (row) => {
    const at = place;
    place += 1;
    if (!('amountCentavos' in row)) {
      items.set(at, { ...nothing, row: row.row, state: 'invalid', code: row.code });
      return;
    }
    const { amountCentavos, invoiceId } = row;
    const moment = parsePaymentMoment(row.paidOn, now().getTime());
    if (moment === null) {
      items.set(at, { ...nothing, row: row.row, state: 'invalid', code: 'date_invalid', amountCentavos, invoiceId });
      return;
    }
    payments.push({ ...row, place: at, paidAt: new Date(moment), key: paymentKey(row, personKeys.received) });
  });
  return { payments, items };
}

const itemOf = (
  { row, invoiceId, amountCentavos, paidAt }: KeyedPayment,
  of: Partial<SettlementItem> & Pick<SettlementItem, 'state'>,
): SettlementItem => ({ ...nothing, code: null, row, invoiceId, amountCentavos, paidAt, ...of });

/** What is told of a row before anything is recorded. */
function plannedItem(planned: PlannedRow): SettlementItem {
  const { payment, state } = planned;
  if (state === 'matched') {
    const { id: debtId, invoiceId } = planned.debt;
    return itemOf(payment, { state, debtId, invoiceId: invoiceId ?? payment.invoiceId });
  }
  if (state !== 'known') return itemOf(payment, { state, code: planned.code });
  const { code, debtId, settlementId } = planned;
  return itemOf(payment, { state, code, debtId, settlementId });
}

/**
 * Reads a file of payments, settles those whose debt is certain as `POST /api/debts/:id/settle` does, and keeps the
 * doubtful ones for a person. A row that was told before changes nothing.
 */
export const settleFile =
  (deps: SettlementFileDeps) =>
  async (request: SettlementFileRequest): Promise<readonly SettlementItem[]> => {
    const { clientId, source } = request;
    const { payments, items } = await toPayments(deps, await readRows(deps, request));
    const facts = await readFacts(deps, clientId, payments);
    const planned: PlannedRow[] = [];
    const plan = planRows(facts, await sortInTurns(payments, compareForMatching));
    await eachInTurn(plan, (one) => void planned.push(one));
    await eachInTurn(planned, (one) => void items.set(one.payment.place, plannedItem(one)));
    if (!request.checkOnly) {
      await keepDoubts(deps, clientId, planned);
      await settlePlanned(deps, request, planned, items);
      await askAboutCharges(deps, clientId, planned);
      await deps.db.tenant(clientId).transactional((tx) => {
        const settled = [...items.values()].filter(({ state }) => state === 'settled').length;
        const details = { rows: items.size, settled };
        return addRequestAudit(tx, { clientId, source, action: 'settlement_file_sent', target: null, details });
      });
    }
    // Each row has its place, and they are counted without a gap.
    const inOrder: SettlementItem[] = [];
    await eachInTurn([...items.keys()], (place) => {
      inOrder[place] = items.get(place)!;
    });
    return inOrder;
  };

type MatchedRow = Extract<PlannedRow, { readonly state: 'matched' }>;

/** Returns the rows of each debt, or of its agreement, in the order in which they are planned. */
async function rowsOfDebts(planned: readonly PlannedRow[]): Promise<readonly (readonly MatchedRow[])[]> {
  const byOwner = new Map<string, MatchedRow[]>();
  await eachInTurn(planned, (one) => {
    if (one.state !== 'matched') return;
    const owner = one.debt.agreementId ?? one.debt.id;
    const rows = byOwner.get(owner);
    if (rows === undefined) byOwner.set(owner, [one]);
    else rows.push(one);
  });
  return [...byOwner.values()];
}

/**
 * Settles several debts at once, and the rows of each one after the other: what a payment is credited to depends on those
 * before it. The debts of one person wait for each other by their locks.
 */
async function settlePlanned(
  deps: SettlementFileDeps,
  { clientId, source }: SettlementFileRequest,
  planned: readonly PlannedRow[],
  items: Map<number, SettlementItem>,
): Promise<void> {
  const settle = settleRow(deps);
  const waiting = (await rowsOfDebts(planned)).values();
  const work = async (): Promise<void> => {
    for (const rows of waiting) {
      for (const one of rows) {
        const { payment, debt } = one;
        const settled = await settle({ clientId, source, payment, debt });
        const { debtId, invoiceId } = plannedItem(one);
        const code = settled.state === 'unmatched' ? 'debt_not_found' : null;
        items.set(payment.place, itemOf(payment, { debtId, invoiceId, code, ...settled }));
      }
    }
  };
  await Promise.all(Array.from({ length: SETTLED_AT_ONCE }, work));
}

/** A person decides about what is not certain. A statement's payment that has nothing to do with a debt is nobody's business. */
const isKept = (one: PlannedRow): boolean => {
  if (one.state !== 'ambiguous' && one.state !== 'unmatched') return false;
  const { invoiceId, taxId, ourNumber } = one.payment;
  return one.code !== 'debt_not_found' || (invoiceId ?? taxId ?? ourNumber) !== null;
};

async function keepDoubts({ db }: SettlementFileDeps, clientId: string, planned: readonly PlannedRow[]) {
  await inBatches(planned.filter(isKept), STORED_AT_ONCE, async (part) => {
    const rows = part.flatMap((one) => {
      if (one.state !== 'ambiguous' && one.state !== 'unmatched') return [];
      const { payment, state, code: doubt } = one;
      const { key, amountCentavos, paidAt, endToEndId, invoiceId, ourNumber, taxId, memo, method } = payment;
      const row = { id: randomUUID(), clientId, source: 'file', key, amountCentavos, paidAt, endToEndId } as const;
      return [{ ...row, invoiceId: invoiceId ?? ourNumber, taxId, memo, method: method ?? 'other', state, doubt }];
    });
    await db.tenant(clientId).transactional((tx) => insertReceived(tx, rows));
  });
}

/** What the provider takes is settled by its own answer. */
async function askAboutCharges({ db }: SettlementFileDeps, clientId: string, planned: readonly PlannedRow[]) {
  const ids = planned.flatMap((one) =>
    one.state === 'known' && one.code === 'own_charge' ? (one.chargeId ?? []) : [],
  );
  if (ids.length > 0) await db.tenant(clientId).transactional((tx) => askSoon(tx, ids));
}
