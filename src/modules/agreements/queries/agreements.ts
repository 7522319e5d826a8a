import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import { ACTING_MEMBER, anyOf, NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';
import { type Credit, keptCentavos, type Paid } from '../../terms/rules/credits.ts';
import type { SentNotice } from '../rules/agreement-state.ts';
import type { Instalment } from '../rules/instalments.ts';
import type { DebtOfOffer } from '../rules/offers.ts';

/** A debt of an agreement, in the order in which money is credited. */
export type AgreedDebt = DebtOfOffer;

/** Money of an agreement, by whichever code it came. */
export interface AgreementPayment extends Paid, Credit {
  readonly id: string;
  /** The debt whose code was paid, or about which it was recorded. The agreement's own codes name its first debt. */
  readonly debtId: string;
  readonly paidAt: Date;
}

interface StoredPayment extends Paid {
  readonly id: string;
  readonly debtId: string;
  readonly on: string;
  readonly paidAt: string;
}

const DEBTS = sql<readonly AgreedDebt[]>`(
  select jsonb_agg(jsonb_build_object('debtId', one.debt_id, 'owedCentavos', one.owed_centavos,
    'discountCentavos', one.discount_centavos) order by one.position)
  from agreement_debts as one where one.agreement_id = agreements.id)`;

const PAYMENTS = sql<readonly StoredPayment[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', paid.id, 'debtId', paid.debt_id, 'on', paid.credited_on,
      'paidAt', paid.paid_at, 'paidCentavos', paid.paid_centavos, 'refundedCentavos', paid.refunded_centavos,
      'chargedBack', paid.charged_back_at is not null) order by paid.credited_on, paid.created_at, paid.id)
  from charges as paid where paid.agreement_id = agreements.id and paid.credited_on is not null), '[]'::jsonb)`;

/** How far the clock of its debts is ahead of real time: of several, the one that is furthest. */
const CLOCK_OFFSET = sql<number>`(
  select max(debts.clock_offset_ms) from agreement_debts as one join debts on debts.id = one.debt_id
  where one.agreement_id = agreements.id)`;

const COLUMNS = [
  ...(['id', 'clientId', 'debtId', 'offerId', 'sandbox', 'protocol', 'status', 'totalCentavos'] as const),
  ...(['discountCentavos', 'instalments', 'breachAfterDays', 'afterBreach', 'movesLeft', 'notices'] as const),
  ...(['agreedOn', 'acceptedAt', 'acceptedBy', 'stoppedBecause', 'nextAt', 'endedAt'] as const),
  ...(['memberId', 'cancelledBy'] as const),
] as const;

const selectAgreements = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('agreements')
    .select(COLUMNS.map((column) => `agreements.${column}` as const))
    .select([
      'agreements.takenBackOn as dueAgainOn',
      DEBTS.as('debts'),
      PAYMENTS.as('payments'),
      CLOCK_OFFSET.as('clockOffsetMs'),
      // The phone by whose place the days of the agreement count.
      sql<string>`(select debts.debtor_phone from debts where debts.id = agreements.debt_id)`.as('debtorPhone'),
      sql<string>`(select debts.debtor_name from debts where debts.id = agreements.debt_id)`.as('debtorName'),
      nameOfMember('agreements.member_id').as('memberName'),
      nameOfMember('agreements.cancelled_by').as('cancelledByName'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectAgreements>['executeTakeFirstOrThrow']>>;

export type StoredAgreement = Omit<Row, 'payments'> & { readonly payments: readonly AgreementPayment[] };

/** What the creditor still has of each payment counts; what went back does not. */
const withPayments = ({ payments, ...agreement }: Row): StoredAgreement => ({
  ...agreement,
  payments: payments.map((payment) => ({
    ...payment,
    paidAt: new Date(payment.paidAt),
    amountCentavos: keptCentavos(payment),
  })),
});

export async function readAgreement(tx: Tx, agreementId: string): Promise<StoredAgreement | undefined> {
  const row = await selectAgreements(tx).where('agreements.id', '=', agreementId).executeTakeFirst();
  return row && withPayments(row);
}

export async function readAgreements(tx: Tx, agreementIds: readonly string[]): Promise<StoredAgreement[]> {
  if (agreementIds.length === 0) return [];
  const rows = await selectAgreements(tx).where('agreements.id', '=', anyOf(agreementIds, 'uuid')).execute();
  return rows.map(withPayments);
}

const agreementIdsOf =
  (debtId: string) =>
  ({ selectFrom }: Pick<ExpressionBuilder<Tables, 'agreements'>, 'selectFrom'>) =>
    selectFrom('agreement_debts').select('agreementId').where('debtId', '=', debtId);

/** Returns the agreements of which the debt is a part, the newest first. */
export async function agreementsOfDebt(tx: Tx, debtId: string): Promise<StoredAgreement[]> {
  const rows = await selectAgreements(tx)
    .where('agreements.id', 'in', agreementIdsOf(debtId))
    .orderBy('agreements.createdAt', 'desc')
    .orderBy('agreements.id', 'desc')
    .execute();
  return rows.map(withPayments);
}

/** What was accepted, and by which message or page. The words are empty once the debtor is erased. */
export const acceptanceOf = (tx: Tx, agreementId: string) =>
  queriesIn(tx)
    .selectFrom('agreements')
    .select(['acceptedText', 'acceptedIn'])
    .where('id', '=', agreementId)
    .executeTakeFirstOrThrow();

export interface AgreementPage {
  readonly clientId: string;
  readonly status: StoredAgreement['status'] | undefined;
  readonly campaignId: string | undefined;
  readonly debtId: string | undefined;
  /** The agreement after which the page begins. */
  readonly after: { readonly at: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Returns the newest agreements of a client. */
export async function listAgreements(
  tx: Tx,
  { clientId, status, campaignId, debtId, after, limit }: AgreementPage,
): Promise<(StoredAgreement & { readonly createdAt: Date })[]> {
  const rows = await selectAgreements(tx)
    .select('agreements.createdAt')
    .where('agreements.clientId', '=', clientId)
    .$if(status !== undefined, (query) => query.where('agreements.status', '=', status!))
    .$if(campaignId !== undefined, (query) =>
      query.where('agreements.id', 'in', ({ selectFrom }) =>
        selectFrom('agreement_debts')
          .innerJoin('debts', 'debts.id', 'agreement_debts.debtId')
          .select('agreement_debts.agreementId')
          .where('debts.campaignId', '=', campaignId!),
      ),
    )
    .$if(debtId !== undefined, (query) => query.where('agreements.id', 'in', agreementIdsOf(debtId!)))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(agreements.created_at, agreements.id) < (${after!.at}::timestamptz, ${after!.id}::uuid)`,
      ),
    )
    .orderBy('agreements.createdAt', 'desc')
    .orderBy('agreements.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ createdAt, ...row }) => ({ ...withPayments(row as Row), createdAt }));
}

type NewAgreement = Omit<Insertable<Tables['agreements']>, 'instalments' | 'notices' | 'status'> & {
  readonly id: string;
  readonly clientId: string;
  readonly instalments: readonly Instalment[];
};

/** Stores an accepted offer and which debts it is about. */
export async function insertAgreement(
  tx: Tx,
  { instalments, ...agreement }: NewAgreement,
  debts: readonly AgreedDebt[],
): Promise<void> {
  await queriesIn(tx)
    .insertInto('agreements')
    .values({
      ...agreement,
      status: 'ACTIVE',
      instalments: sql<readonly Instalment[]>`${JSON.stringify(instalments)}::jsonb`,
    })
    .execute();
  await queriesIn(tx)
    .insertInto('agreement_debts')
    .values(
      debts.map(({ debtId, owedCentavos, discountCentavos }, at) => ({
        clientId: agreement.clientId,
        agreementId: agreement.id,
        debtId,
        position: at + 1,
        owedCentavos,
        discountCentavos,
      })),
    )
    .execute();
  await queriesIn(tx).updateTable('offers').set({ acceptedAt: NOW }).where('id', '=', agreement.offerId).execute();
}

type Changes = Partial<Pick<StoredAgreement, 'status' | 'movesLeft' | 'stoppedBecause' | 'dueAgainOn' | 'nextAt'>> & {
  readonly endedAt?: Date | null;
  readonly cancelReason?: string;
  readonly instalments?: readonly Instalment[];
  readonly notices?: readonly SentNotice[];
};

/** Stores a change of an agreement whose debts are locked. */
export const updateAgreement = (
  tx: Tx,
  agreementId: string,
  { instalments, notices, cancelReason, dueAgainOn, ...changes }: Changes,
) =>
  queriesIn(tx)
    .updateTable('agreements')
    .set({
      ...changes,
      ...(dueAgainOn === undefined ? {} : { takenBackOn: dueAgainOn }),
      ...(cancelReason === undefined ? {} : { cancelReason, cancelledBy: ACTING_MEMBER }),
      ...(instalments === undefined
        ? {}
        : { instalments: sql<readonly Instalment[]>`${JSON.stringify(instalments)}::jsonb` }),
      ...(notices === undefined ? {} : { notices: sql<readonly SentNotice[]>`${JSON.stringify(notices)}::jsonb` }),
      updatedAt: NOW,
    })
    .where('id', '=', agreementId)
    .execute();

/** Removes the notice of a message. The first debt of the agreement is locked. */
export const forgetNotice = (tx: Tx, agreementId: string, messageId: string) =>
  queriesIn(tx)
    .updateTable('agreements')
    .set({
      notices: sql<readonly SentNotice[]>`(
        select coalesce(jsonb_agg(one.notice order by one.place), '[]'::jsonb)
        from jsonb_array_elements(notices) with ordinality as one(notice, place)
        where one.notice ->> 'messageId' is distinct from ${messageId}::text)`,
      updatedAt: NOW,
    })
    .where('id', '=', agreementId)
    .execute();

/** Returns the active agreements about debts of a campaign, as the workflow of each is addressed. */
export const activeAgreementsOfCampaign = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectFrom('agreements')
    .innerJoin('debts', 'debts.id', 'agreements.debtId')
    .select(['agreements.id', 'agreements.clientId', 'agreements.sandbox', 'debts.clockOffsetMs'])
    .where('agreements.status', '=', 'ACTIVE')
    .where('debts.campaignId', '=', campaignId)
    .orderBy('agreements.id')
    .execute();
