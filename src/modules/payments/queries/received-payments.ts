import { type Insertable, sql } from 'kysely';
import { type ReceivedDoubt, UNDECIDED_STATES } from '../../../kernel/received-states.ts';
import { anyOf, NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';

const COLUMNS = [
  ...(['id', 'source', 'key', 'amountCentavos', 'paidAt', 'endToEndId', 'invoiceId', 'taxId', 'method'] as const),
  ...(['state', 'doubt', 'memo', 'debtId', 'chargeId', 'createdAt', 'memberId'] as const),
] as const;

const selectReceived = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('received_payments')
    .select(COLUMNS)
    .select(nameOfMember('received_payments.member_id').as('memberName'));

export type StoredReceived = Awaited<ReturnType<ReturnType<typeof selectReceived>['executeTakeFirstOrThrow']>>;

export const readReceived = (tx: Tx, id: string): Promise<StoredReceived | undefined> =>
  selectReceived(tx).where('id', '=', id).executeTakeFirst();

/** Locks the row. The debts are locked before it. */
export const lockReceived = (tx: Tx, id: string): Promise<StoredReceived | undefined> =>
  selectReceived(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Locks the row of a payment by what identifies it. The debts are locked before it. */
export const lockReceivedByKey = (tx: Tx, clientId: string, key: string): Promise<StoredReceived | undefined> =>
  selectReceived(tx).where('clientId', '=', clientId).where('key', '=', key).forNoKeyUpdate().executeTakeFirst();

/**
 * Lets everybody who decides about one payment wait for each other, also while nobody has stored its row. The debts are
 * locked before it, and the row after it.
 */
export const lockKeyOfReceived = (tx: Tx, clientId: string, key: string) =>
  queriesIn(tx)
    .selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${`received:${clientId}:${key}`}, 0))`.as('locked'))
    .execute();

/** Returns the debts that payments with these keys are recorded about. */
export async function debtsOfReceived(tx: Tx, clientId: string, keys: readonly string[]): Promise<string[]> {
  const found = await queriesIn(tx)
    .selectFrom('received_payments')
    .select('debtId')
    .where('clientId', '=', clientId)
    .where('key', '=', anyOf(keys, 'text'))
    .where('state', '=', 'settled')
    .execute();
  return found.flatMap(({ debtId }) => debtId ?? []);
}

/** Whether a code of the client was paid by the Pix with this id between banks. */
export async function hasPaidCode(tx: Tx, clientId: string, endToEndId: string | null): Promise<boolean> {
  if (endToEndId === null) return false;
  const found = await queriesIn(tx)
    .selectFrom('charges')
    .select('id')
    .where('clientId', '=', clientId)
    .where('endToEndId', '=', endToEndId)
    .where('provider', '<>', 'outside')
    .where('paidCentavos', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns the row of a payment that was recorded from a file or by a bank. The debts are locked. */
export const lockReceivedOfCharge = (tx: Tx, chargeId: string): Promise<StoredReceived | undefined> =>
  selectReceived(tx).where('chargeId', '=', chargeId).forNoKeyUpdate().executeTakeFirst();

export type NewReceived = Pick<
  Insertable<Tables['received_payments']>,
  'id' | 'clientId' | 'source' | 'key' | 'amountCentavos' | 'paidAt' | 'method' | 'state'
> & {
  readonly id: string;
  readonly endToEndId: string | null;
  readonly invoiceId: string | null;
  readonly taxId: string | null;
  readonly memo?: string | null;
  readonly doubt?: ReceivedDoubt | null;
};

/** Stores received payments, and returns the ids of those that were not known by their keys. */
export async function insertReceived(tx: Tx, rows: readonly NewReceived[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const stored = await queriesIn(tx)
    .insertInto('received_payments')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['clientId', 'key']).doNothing())
    .returning('id')
    .execute();
  return new Set(stored.map(({ id }) => id));
}

/** The payment is recorded: nothing is needed any more to find out whose it is. */
export const setSettled = (
  tx: Tx,
  id: string,
  { debtId, chargeId }: { readonly debtId: string; readonly chargeId: string },
) =>
  queriesIn(tx)
    .updateTable('received_payments')
    .set({ state: 'settled', debtId, chargeId, taxId: null, memo: null, doubt: null, updatedAt: NOW })
    .where('id', '=', id)
    .execute();

const DISMISSED = { state: 'dismissed', taxId: null, invoiceId: null, memo: null } as const;

/** The payment is for no debt of the client. */
export const setDismissed = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('received_payments')
    .set({ ...DISMISSED, updatedAt: NOW })
    .where('id', '=', id)
    .execute();

/** Returns the payments with these keys of which nobody has decided which debt they pay. */
export const undecidedByKey = (tx: Tx, clientId: string, keys: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('received_payments')
    .select(['id', 'key', 'amountCentavos'])
    .where('clientId', '=', clientId)
    .where('key', '=', anyOf(keys, 'text'))
    .where('state', 'in', UNDECIDED_STATES)
    .execute();

/** Lowers a payment of which nobody has decided to what is left of it. One of which nothing is left pays no debt. */
export const lowerUndecided = (tx: Tx, id: string, leftCentavos: number) =>
  queriesIn(tx)
    .updateTable('received_payments')
    .set({ ...(leftCentavos > 0 ? { amountCentavos: leftCentavos } : DISMISSED), updatedAt: NOW })
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED_STATES)
    .execute();

/** The match was wrong: a person decides again. */
export const setUndone = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('received_payments')
    .set({ state: 'undone', updatedAt: NOW })
    .where('id', '=', id)
    .execute();

interface UndecidedPage {
  readonly clientId: string;
  readonly after: { readonly at: string; readonly id: string } | undefined;
  readonly limit: number;
}

/**
 * Returns the payments of which a person decides which debt they pay, the newest first. What has paid a code is not among
 * them, also where a file told of it in the same moment as the bank.
 */
export const undecidedReceived = (tx: Tx, { clientId, after, limit }: UndecidedPage): Promise<StoredReceived[]> =>
  selectReceived(tx)
    .where('clientId', '=', clientId)
    .where('state', 'in', UNDECIDED_STATES)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('charges')
            .select('charges.id')
            .whereRef('charges.clientId', '=', 'received_payments.clientId')
            .whereRef('charges.endToEndId', '=', 'received_payments.endToEndId')
            .where('charges.provider', '<>', 'outside')
            .where('charges.paidCentavos', '>', 0),
        ),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after!.at}::timestamptz, ${after!.id}::uuid)`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Removes what names an erased debtor from the payments of the person, and from those of the erased debts. */
export const forgetPayer = (tx: Tx, clientId: string, taxId: string, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('received_payments')
    .set({ taxId: null, memo: null, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where(({ eb, or }) => or([eb('taxId', '=', taxId), eb('debtId', '=', anyOf(debtIds, 'uuid'))]))
    .execute();

/**
 * Whether an agreement about any row of these debts was made after a payment came, and decides, or has decided, what they
 * owe. The agreement that the payment itself pays is not meant.
 */
export async function isAgreedSince(
  tx: Tx,
  identityIds: readonly string[],
  { agreementId, createdAt }: { readonly agreementId: string | null; readonly createdAt: Date },
): Promise<boolean> {
  const found = await queriesIn(tx)
    .selectFrom('agreements')
    .innerJoin('agreement_debts', 'agreement_debts.agreementId', 'agreements.id')
    .innerJoin('debts', 'debts.id', 'agreement_debts.debtId')
    .select('agreements.id')
    .where('debts.identityId', '=', anyOf(identityIds, 'uuid'))
    .where('agreements.id', 'is distinct from', agreementId)
    .where('agreements.createdAt', '>=', createdAt)
    .where(sql<boolean>`(agreements.status in ('ACTIVE', 'COMPLETED')
      or (agreements.status = 'BROKEN' and agreements.after_breach = 'keep'))`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
