import { localDate } from '../../../kernel/calendar.ts';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { toReais } from '../../../kernel/money.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import type { ReceivedDoubt, ReceivedSource } from '../../../kernel/received-states.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { type Author, byMember } from '../../accounts/rules/author.ts';
import { type StoredReceived, undecidedReceived } from '../../payments/queries/received-payments.ts';
import { debtsByAmount, shownDebts } from '../queries/debts-of-file.ts';
import { candidatesOf } from '../rules/candidates.ts';
import type { Payment } from '../rules/match-row.ts';
import type { SettlementFileDeps } from './deps.ts';
import { eachInTurn } from './in-batches.ts';
import { readDebts } from './read-debts.ts';

/** A debt that a payment may be for. */
export interface Candidate {
  readonly debtId: string;
  readonly debtorName: string;
  readonly invoiceId: string | null;
  readonly dueDate: string;
  readonly amount: number;
  readonly status: DebtStatus;
}

/** What a person compares to find the debt. */
export interface OrphanDetails {
  readonly source: ReceivedSource;
  readonly method: PaymentMethod;
  readonly invoiceId: string | null;
  readonly memo: string | null;
  readonly doubt: ReceivedDoubt | null;
  readonly candidates: readonly Candidate[];
}

export interface OrphanView {
  readonly id: string;
  readonly amount: number;
  readonly paidAt: string;
  readonly endToEndId: string | null;
  /** The member who sent the file that told of it. */
  readonly by?: Author;
  readonly details?: OrphanDetails;
}

interface ListOrphans {
  readonly clientId: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly withCandidates: boolean;
}

const position = ([at, id]: readonly unknown[]) =>
  typeof at === 'string' && !Number.isNaN(Date.parse(at)) && isUuid(id) ? { at, id } : null;

/** America/Sao_Paulo, by whose days banks and offices write. */
const OFFSET = -3;

const toPayment = (stored: StoredReceived): Payment => ({
  ...stored,
  row: 0,
  // An invoice may have been the bank's number of a boleto: both are looked up alike.
  ourNumber: stored.invoiceId,
  txid: null,
  sourceId: null,
  paidOn: localDate(stored.paidAt.getTime(), OFFSET),
});

/** Lists the payments of which nobody knows the debt, the newest first, each with the debts that it may be for. */
export const listOrphans =
  (deps: SettlementFileDeps) =>
  async ({ clientId, limit, cursor, withCandidates }: ListOrphans): Promise<Page<OrphanView>> => {
    const after = readCursor(cursor, position) ?? undefined;
    const rows = await deps.db
      .tenant(clientId)
      .transactional((tx) => undecidedReceived(tx, { clientId, after, limit: limit + 1 }));
    const candidates = withCandidates ? await readCandidates(deps, clientId, rows) : null;
    const view = (stored: StoredReceived): OrphanView => {
      const { id, source, amountCentavos, paidAt, method, endToEndId, invoiceId, memo, doubt } = stored;
      const by = byMember(stored.memberId, stored.memberName);
      const facts = { id, amount: toReais(amountCentavos), paidAt: paidAt.toISOString(), endToEndId, ...by };
      if (candidates === null) return facts;
      return { ...facts, details: { source, method, invoiceId, memo, doubt, candidates: candidates.get(id) ?? [] } };
    };
    return pageOf(rows, limit, view, ({ createdAt, id }) => writeCursor(createdAt.toISOString(), id));
  };

async function readCandidates(deps: SettlementFileDeps, clientId: string, rows: readonly StoredReceived[]) {
  const payments = rows.map((stored) => ({ id: stored.id, payment: toPayment(stored) }));
  const known = await readDebts(
    deps,
    clientId,
    payments.map(({ payment }) => payment),
  );
  const inClient = deps.db.tenant(clientId);
  const amounts = [...new Set(rows.map(({ amountCentavos }) => amountCentavos))];
  const ofAmounts = await inClient.transactional((tx) => debtsByAmount(tx, clientId, amounts));
  const byAmount = Map.groupBy(ofAmounts, ({ amountCentavos }) => amountCentavos);
  const ids = new Map<string, readonly string[]>();
  // What each bill of a person needs is computed for each of their payments.
  await eachInTurn(payments, ({ id, payment }) => {
    const ofAmount = (byAmount.get(payment.amountCentavos) ?? []).map((debt) => debt.id);
    ids.set(id, candidatesOf(known, payment, ofAmount));
  });
  const found = await inClient.transactional((tx) => shownDebts(tx, [...ids.values()].flat()));
  const shown = new Map(found.map((debt) => [debt.id, debt]));
  const candidate = (debtId: string): Candidate[] => {
    const debt = shown.get(debtId);
    if (debt === undefined) return [];
    const { debtorName, invoiceId, dueDate, amountCentavos, status } = debt;
    return [{ debtId, debtorName, invoiceId, dueDate, amount: toReais(amountCentavos), status }];
  };
  return new Map([...ids].map(([id, of]) => [id, of.flatMap(candidate)]));
}
