import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { NOW, prepared, queriesIn, rowsOfJson, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { StoredCredit } from '../../debts/queries/debt-context.ts';
import { idsOfRows } from '../../debts/queries/debts.ts';
import type { ChargeProblem } from '../../debts/rules/timeline-entry.ts';
import type { ChargeColumns } from '../rules/known-debt.ts';

/** What every reader of a charge gets. */
export const CHARGE = [
  ...(['id', 'debtId', 'attempt', 'provider', 'accountId', 'providerPaymentId', 'status', 'amountCentavos'] as const),
  ...([
    'paidCentavos',
    'refundedCentavos',
    'brCode',
    'dueOn',
    'expiresAt',
    'paidAt',
    'underpaidAt',
    'chargedBackAt',
  ] as const),
  ...(['duplicate', 'problem', 'retryAt', 'supersededAt', 'createdAt', 'providerUpdatedAt', 'method'] as const),
  ...(['askedOn', 'askedFineCentavos', 'askedInterestCentavos', 'askedCorrectionCentavos', 'creditedOn'] as const),
  ...([
    'settledCentavos',
    'coveredCentavos',
    'agreementId',
    'instalment',
    'partOf',
    'approvedAt',
    'endToEndId',
    'undoneAt',
  ] as const),
  ...(['waivesRest', 'principalCentavos', 'fineCentavos', 'interestCentavos', 'correctionCentavos'] as const),
] as const;

export const selectCharges = (queries: Kysely<Tables>) =>
  queries.selectFrom('charges').select(CHARGE).orderBy('createdAt', 'desc').orderBy('attempt', 'desc');

/**
 * Returns the charges of a debt, by whichever of its rows, the latest first. A caller that decides by them holds the lock
 * of the current row. The money of an agreement is not among them: what the debt gets of it is.
 */
export const chargesOfDebt = (tx: Tx, debtId: string) => readCharges.run(tx, { debtId });
export const selectChargesOfDebt = (queries: Kysely<Tables>, debtId: string) =>
  selectCharges(queries).where('agreementId', 'is', null).where('debtId', 'in', idsOfRows(debtId));
const readCharges = prepared('charges_of_debt', (queries, { debtId }: { readonly debtId: string }) =>
  selectChargesOfDebt(queries, debtId),
);

/** Returns charges that were read as JSON, in a statement about something else. */
export const chargesOfJson = (rows: readonly object[]): Charge[] => rowsOfJson<Charge>(rows, MOMENTS_OF_CHARGE);
const MOMENTS_OF_CHARGE = [
  ...(['expiresAt', 'paidAt', 'underpaidAt', 'chargedBackAt', 'retryAt', 'supersededAt', 'createdAt'] as const),
  ...(['providerUpdatedAt', 'approvedAt', 'undoneAt'] as const),
] as const satisfies readonly MomentOf<Charge>[];
/** The columns that are moments, each of which JSON has as a text. */
type MomentOf<Row> = { [Column in keyof Row]: Date extends Row[Column] ? Column : never }[keyof Row];

export const readCharge = (tx: Tx, chargeId: string): Promise<Charge | undefined> =>
  selectCharges(queriesIn(tx)).where('id', '=', chargeId).executeTakeFirst();

export type Charge = Awaited<ReturnType<typeof chargesOfDebt>>[number];

/** Returns the confirmed payments among the charges, as a debt's context has them. */
export const creditsOfCharges = (charges: readonly Charge[]): StoredCredit[] =>
  charges
    .flatMap(({ creditedOn: on, chargedBackAt, paidCentavos, refundedCentavos, waivesRest, coveredCentavos }) =>
      on === null
        ? []
        : [
            {
              on,
              paidCentavos,
              refundedCentavos,
              chargedBack: chargedBackAt !== null,
              waivesRest: waivesRest || coveredCentavos !== null,
              coveredCentavos,
            },
          ],
    )
    .toReversed();

type NewCharge = Omit<Insertable<Tables['charges']>, 'status' | 'attempt' | 'partOf'>;

export const insertCharge = (tx: Tx, charge: NewCharge): Promise<Charge> =>
  queriesIn(tx)
    .insertInto('charges')
    .values({ ...charge, attempt: nextAttempt(charge.debtId), status: 'PENDING' })
    .returning(CHARGE)
    .executeTakeFirstOrThrow();

export async function countOpenCharges(tx: Tx, clientId: string, accountId: string): Promise<number> {
  const { open } = await queriesIn(tx)
    .selectFrom('charges')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('clientId', '=', clientId)
    .where('accountId', '=', accountId)
    .where('askAt', 'is not', null)
    .executeTakeFirstOrThrow();
  return open;
}

export interface MadeCharge {
  readonly providerPaymentId: string;
  /** Null while the provider is registering the charge. */
  readonly brCode: string | null;
  readonly expiresAt: Date;
  /** The moment of the first question about the charge, unless a notification comes earlier. */
  readonly askAt: Date;
}

/**
 * Stores what the provider made; returns undefined when another call has stored it already. A charge that the provider has
 * made is open, whatever another call was told about it. The code of a superseded charge is not stored, so that nobody
 * is shown it, and the charge is due at once, to be cancelled.
 */
export const storeMadeCharge = (tx: Tx, chargeId: string, made: MadeCharge): Promise<Charge | undefined> =>
  queriesIn(tx)
    .updateTable('charges')
    .set({
      status: 'PENDING',
      providerPaymentId: made.providerPaymentId,
      expiresAt: made.expiresAt,
      brCode: unlessSuperseded(sql<string | null>`${made.brCode}::text`, sql<null>`null`),
      askAt: unlessSuperseded(sql<Date | null>`${made.askAt}::timestamptz`, NOW),
      providerPaymentKey: sql<string>`lower(${made.providerPaymentId})`,
      problem: null,
      retryAt: null,
      updatedAt: NOW,
    })
    .where('id', '=', chargeId)
    .where('providerPaymentId', 'is', null)
    .returning(CHARGE)
    .executeTakeFirst();

export interface FailedRequest {
  readonly status: PaymentStatus;
  readonly retryAt: Date;
  readonly lastAskedAt: Date;
}

const unlessSuperseded = <T>(value: RawBuilder<T>, otherwise: RawBuilder<T>) =>
  sql<T>`case when superseded_at is null then ${value} else ${otherwise} end`;

/** Stores that the provider did not make a charge. A charge that was made meanwhile stays as it is. */
export const storeFailedRequest = (tx: Tx, chargeId: string, failed: FailedRequest) =>
  queriesIn(tx)
    .updateTable('charges')
    .set({ ...failed, updatedAt: NOW })
    .where('id', '=', chargeId)
    .where('providerPaymentId', 'is', null)
    .where('supersededAt', 'is', null)
    .execute();

/**
 * Ends a charge that the provider has not made, so that it is not requested again. A request that is under way may still
 * make it. Returns false when the provider has made the charge meanwhile.
 */
export async function supersedeCharge(tx: Tx, chargeId: string): Promise<boolean> {
  const superseded = await queriesIn(tx)
    .updateTable('charges')
    .set({
      supersededAt: NOW,
      status: sql<PaymentStatus>`case status when 'PENDING' then 'CANCELLED' else status end`,
      updatedAt: NOW,
    })
    .where('id', '=', chargeId)
    .where('providerPaymentId', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return superseded !== undefined;
}

/**
 * Replaces the codes that can still be paid, so that nobody is shown them and they are cancelled: those of a debt that has
 * an agreement now, or those of an agreement that has ended.
 */
export const supersedeOpenCodes = (
  tx: Tx,
  of: { readonly debtId: string } | { readonly agreementId: string },
): Promise<unknown> =>
  queriesIn(tx)
    .updateTable('charges')
    .set({ supersededAt: NOW, updatedAt: NOW })
    .where('status', '=', 'PENDING')
    .where('supersededAt', 'is', null)
    .where('underpaidAt', 'is', null)
    .where('partOf', 'is', null)
    .$if('debtId' in of, (query) =>
      query.where('debtId', '=', 'debtId' in of ? of.debtId : '').where('agreementId', 'is', null),
    )
    .$if('agreementId' in of, (query) => query.where('agreementId', '=', 'agreementId' in of ? of.agreementId : ''))
    .execute();

/** Cancels a charge that the provider has cancelled or no longer accepts a payment for. */
export const cancelPendingCharge = (tx: Tx, chargeId: string) =>
  queriesIn(tx)
    .updateTable('charges')
    .set({ status: 'CANCELLED', askAt: null, updatedAt: NOW })
    .where('id', '=', chargeId)
    .where('status', '=', 'PENDING')
    .execute();

/** Stores why a charge cannot continue; returns whether that is not stored yet. */
export async function setProblem(tx: Tx, chargeId: string, problem: ChargeProblem): Promise<boolean> {
  const changed = await queriesIn(tx)
    .updateTable('charges')
    .set({ problem, updatedAt: NOW })
    .where('id', '=', chargeId)
    .where('problem', 'is distinct from', problem)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** An answer of the provider ends these problems. */
export const WITHOUT_TEMPORARY_PROBLEM = sql<string | null>`case
  when problem in ('provider_unavailable', 'provider_unauthorized') then null else problem end`;

/**
 * Stores what has changed of a charge. `isAnswer` says that the provider has answered about it, which ends problems that
 * only it could end.
 */
export async function storeCharge(
  tx: Tx,
  chargeId: string,
  columns: Partial<ChargeColumns>,
  { isAnswer }: { readonly isAnswer: boolean },
): Promise<void> {
  const hasChanged = Object.keys(columns).length > 0;
  if (!isAnswer && !hasChanged) return;
  await queriesIn(tx)
    .updateTable('charges')
    .set({
      ...(isAnswer ? { lastAskedAt: NOW, problem: WITHOUT_TEMPORARY_PROBLEM } : {}),
      ...columns,
      ...(hasChanged ? { updatedAt: NOW } : {}),
    })
    .where('id', '=', chargeId)
    .execute();
}

/** The number of a new charge among those of its debt. */
export const nextAttempt = (debtId: string) =>
  sql<number>`(select coalesce(max(attempt), 0) + 1 from charges where debt_id = ${debtId}::uuid)`;

type OutsidePayment = Pick<
  Insertable<Tables['charges']>,
  'id' | 'clientId' | 'debtId' | 'agreementId' | 'amountCentavos' | 'method' | 'note' | 'createdAt'
> & { readonly paidAt: Date; readonly endToEndId: string | null };

/** Stores a payment that the client received elsewhere. Like any payment it counts once it is confirmed. */
export const insertOutsidePayment = (tx: Tx, { paidAt, ...payment }: OutsidePayment): Promise<Charge> =>
  queriesIn(tx)
    .insertInto('charges')
    .values({
      ...payment,
      attempt: nextAttempt(payment.debtId),
      provider: 'outside',
      status: 'PENDING',
      // Nothing can be paid by it any more.
      expiresAt: paidAt,
    })
    .returning(CHARGE)
    .executeTakeFirstOrThrow();
