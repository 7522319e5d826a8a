import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LocalDate } from '../../../kernel/calendar.ts';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { OWN_RULES } from '../../policy/queries/client-rules.ts';
import { INDICES_OF_DEBT } from '../../terms/queries/index-values.ts';
import { TERMS_OF_DEBT } from '../../terms/queries/late-payment-terms.ts';
import type { Paid } from '../../terms/rules/credits.ts';
import { addressOfCreditor, cnpjOfCreditor, nameOfCreditor, senderOfCreditor } from './creditor.ts';
import { PHONES_OF_DEBT } from './debt-phones.ts';
import { ofPersonOf, PERSON_REQUEST_COLUMNS } from './person-requests.ts';
import { RECEIPT_OF_DEBT } from './receipt-of-debt.ts';
import { ROW_OF_PERSON } from './row-of-person.ts';

/** A payment of a debt as it is stored, by whichever of the debt's rows it came. */
export interface StoredCredit extends Paid {
  readonly on: LocalDate;
  readonly waivesRest: boolean;
  /** What the payments had to cover when this one settled the debt; null for every other payment. */
  readonly coveredCentavos: number | null;
}

/**
 * All confirmed payments of the debt beside it, in the order in which they count. The money of an agreement counts by what
 * each debt gets of it.
 */
export const CREDITS_OF_DEBT = sql<readonly StoredCredit[]>`coalesce((
  select jsonb_agg(jsonb_build_object('on', charges.credited_on, 'paidCentavos', charges.paid_centavos,
      'refundedCentavos', charges.refunded_centavos, 'chargedBack', charges.charged_back_at is not null,
      'waivesRest', charges.waives_rest or charges.covered_centavos is not null,
      'coveredCentavos', charges.covered_centavos)
    order by charges.credited_on, charges.duplicate, charges.created_at, charges.attempt, charges.id)
  from debts as part join charges on charges.debt_id = part.id
  where part.identity_id = debts.identity_id and charges.credited_on is not null
    and charges.agreement_id is null), '[]'::jsonb)`;

/** What an agreement says is owed of a debt: its share, of which a part is paid. */
export interface AgreedShare {
  readonly agreementId: string;
  readonly shareCentavos: number;
  readonly openCentavos: number;
}

/** Whether the agreement's debt `own` is the debt beside it, which may have been imported again since. */
const IS_OF_DEBT = sql`exists (select from debts as agreed
  where agreed.id = own.debt_id and agreed.identity_id = debts.identity_id)`;

/**
 * The agreement that decides what is owed of the debt beside it when no agreement is active: the newest one that was broken
 * and left the agreed rest owed; null without one.
 */
export const KEPT_AGREEMENT_OF_DEBT = sql<string | null>`(select kept.id
  from debts as agreed join agreement_debts as own on own.debt_id = agreed.id
    join agreements as kept on kept.id = own.agreement_id
  where agreed.identity_id = debts.identity_id and kept.status = 'BROKEN' and kept.after_breach = 'keep'
  order by kept.created_at desc, kept.id desc limit 1)`;

/**
 * The share of the debt beside it in an agreement. While that is active its money pays one debt after the other; after its
 * end each debt has what it got, also of a later agreement that has fallen away.
 */
const shareOfDebt = (agreementId: RawBuilder<string | null>) => sql<AgreedShare | null>`(
  select jsonb_build_object('agreementId', own.agreement_id, 'shareCentavos', own.owed_centavos - own.discount_centavos,
    'openCentavos', greatest(0, least(own.owed_centavos - own.discount_centavos,
      case agreements.status when 'ACTIVE' then
        own.owed_centavos - own.discount_centavos + coalesce((
          select sum(before.owed_centavos - before.discount_centavos) from agreement_debts as before
          where before.agreement_id = own.agreement_id and before.position < own.position), 0)
        - coalesce((
          select sum(case when paid.charged_back_at is null then greatest(0, paid.paid_centavos - paid.refunded_centavos)
            else 0 end) from charges as paid where paid.agreement_id = own.agreement_id), 0)
      else own.owed_centavos - own.discount_centavos - coalesce((
        select sum(case when part.charged_back_at is null then greatest(0, part.paid_centavos - part.refunded_centavos)
          else 0 end)
        from debts as row join charges as part on part.debt_id = row.id join charges as paid on paid.id = part.part_of
          join agreements as payer on payer.id = paid.agreement_id
        where row.identity_id = debts.identity_id
          and (payer.created_at, payer.id) >= (agreements.created_at, agreements.id)), 0) end)))
  from agreement_debts as own join agreements on agreements.id = own.agreement_id
  where own.agreement_id = ${agreementId} and ${IS_OF_DEBT})`;

/** What the agreement of the debt beside it says is owed; null without one. */
export const AGREED_OF_DEBT = sql<AgreedShare | null>`case when debts.agreement_id is not null then
  ${shareOfDebt(sql`debts.agreement_id`)} end`;

/** A debt with the state of its campaign and its client. */
export type DebtContext = NonNullable<Awaited<ReturnType<typeof loadDebt>>>;

/** Selects debts with the state of their campaigns and clients, which decide about them too. */
export const debtContexts = (tx: Tx) => selectDebtContexts(queriesIn(tx));

export const selectDebtContexts = (queries: Kysely<Tables>) =>
  queries
    .selectFrom('debts')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .leftJoin('person_requests', (join) => join.on((eb) => ofPersonOf(eb)))
    .select(['debts.id', 'debts.clientId', 'debts.campaignId', 'debts.status', 'debts.sandbox', 'debts.debtorName'])
    .select([
      'debts.debtorPhone',
      'debts.debtorEmail',
      'debts.debtorTaxId',
      'debts.originalAmountCentavos as amountCentavos',
    ])
    .select([
      'debts.identityId',
      'debts.continuedBy',
      'debts.dueDate',
      'debts.invoiceId',
      'debts.description',
      'debts.step',
      'debts.nextContactAt',
      'debts.pausedAt',
    ])
    // What the person has asked for holds for each of its debts.
    .select(PERSON_REQUEST_COLUMNS)
    .select(['debts.remindedAt', 'debts.isPlanOutdated', 'debts.clockOffsetMs', 'debts.lastEventAt', 'debts.score'])
    .select([
      'campaigns.status as campaignStatus',
      'campaigns.clocksHeld as clockHeld',
      'campaigns.channels',
      'campaigns.sequence',
      'campaigns.contactHours',
      'campaigns.reminders',
      'campaigns.onPartial',
      'clients.status as clientStatus',
    ])
    .select(senderOfCreditor('debts').as('senderName'))
    // Debtors may see this address. It is never taken from the login.
    .select('clients.contactEmail')
    .select([
      nameOfCreditor('debts').as('clientName'),
      cnpjOfCreditor('debts').as('clientCnpj'),
      addressOfCreditor('debts').as('clientAddress'),
    ])
    // Some rules bind only those who collect the debts of others.
    .select('clients.collectsFor')
    // What the debtor's page says about the use of their data.
    .select(['clients.lawfulGround', 'debts.consentAt', 'debts.consentSource'])
    .select((row) => [
      PHONES_OF_DEBT.as('phones'),
      ROW_OF_PERSON.as('rowOfPerson'),
      OWN_RULES.as('ownRules'),
      // The operator's check of the company is in force.
      row('clients.verifiedAt', 'is not', null).$castTo<boolean>().as('clientVerified'),
      // The address of the debt's page is known to somebody else.
      row('debts.pageClosedAt', 'is not', null).$castTo<boolean>().as('pageClosed'),
      // The phone was reported to belong to another person.
      row('debts.wrongPersonAt', 'is not', null).$castTo<boolean>().as('wrongPerson'),
      // An erased debt has no recipient, and no message from the person is stored again.
      row('debts.erasedAt', 'is not', null).$castTo<boolean>().as('erased'),
      // What decides how much is owed: see `src/modules/debts/use-cases/owed.ts`.
      TERMS_OF_DEBT.as('terms'),
      INDICES_OF_DEBT.as('indices'),
      CREDITS_OF_DEBT.as('credits'),
      AGREED_OF_DEBT.as('agreed'),
      RECEIPT_OF_DEBT.as('receiptProtocol'),
    ]);

type OneDebt = { readonly debtId: string };
const readDebt = prepared('debt_context', (queries, { debtId }: OneDebt) =>
  selectDebtContexts(queries).where('debts.id', '=', debtId),
);
const readDebtForUpdate = prepared('debt_context_locked', (queries, { debtId }: OneDebt) =>
  selectDebtContexts(queries).where('debts.id', '=', debtId).forNoKeyUpdate('debts'),
);

/** `forUpdate` locks the debt's row, so that no other transaction changes the debt until this one ends. */
export async function loadDebt(tx: Tx, debtId: string, options: { readonly forUpdate?: true } = {}) {
  const [row] = await (options.forUpdate === true ? readDebtForUpdate : readDebt).run(tx, { debtId });
  return row ?? null;
}

/** Returns all rows of a debt, whichever of them is named: it was imported again after it had ended. */
export const rowsOfDebt = (tx: Tx, debtId: string) =>
  debtContexts(tx)
    .where('debts.identityId', '=', queriesIn(tx).selectFrom('debts').select('identityId').where('id', '=', debtId))
    .orderBy('debts.id')
    .execute();

/** What would be owed of a debt if the agreement that it has had never been made: the rest of an earlier one, if any. */
export const keptShareOfDebt = async (tx: Tx, debtId: string): Promise<AgreedShare | null> =>
  (
    await queriesIn(tx)
      .selectFrom('debts')
      .select(shareOfDebt(KEPT_AGREEMENT_OF_DEBT).as('kept'))
      .where('id', '=', debtId)
      .executeTakeFirst()
  )?.kept ?? null;
