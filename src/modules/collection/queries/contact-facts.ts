import { type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { prepared, rowsOfJson, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUnhandled, type Person } from '../../debts/queries/persons.ts';
import {
  type ContactsOfPersons,
  type LedgerRow,
  selectContactsOfPersons,
} from '../../messaging/queries/contact-ledger.ts';
import { LATEST_TURNS, selectLatestMessages, type TurnRow } from '../../messaging/queries/messages.ts';
import { type SuppressionRow, selectSuppressions } from '../../messaging/queries/suppressions.ts';
import type { ResumedAfter } from '../../policy/rules/collection-sequence.ts';

/** The statuses in which a debt waits for a decision of the staff. */
const HELD: readonly DebtStatus[] = ['DISPUTED', 'ON_HOLD'];

interface Asked {
  readonly debtId: string;
  readonly attemptKey: string;
}

/** What decides about the next contact of a debt besides the debts of its person. */
export interface ContactFacts {
  /** A message that a channel accepted was not delivered, and its contact is not undone yet. */
  readonly hasLateFailure: boolean;
  /** An earlier run of this attempt has booked a message. */
  readonly isTried: boolean;
  /** What the staff have decided about since the last contact, by which the debt was held. */
  readonly resumedAfter: ResumedAfter | null;
  /** The latest messages of the conversation on the debt's phone, oldest first. */
  readonly turns: readonly TurnRow[];
  /** The newest version of the client's own words for the next step; its text is null for the product's. */
  readonly wording: { readonly version: number; readonly text: string | null; readonly short: string | null } | null;
}

type Debts = ExpressionBuilder<Tables & { asked: Tables['debts'] }, 'asked'>;

/**
 * The decision of the staff since the last contact. The reason of the last item that a hold had in the inbox says why
 * the debt was on hold.
 */
const lastDecision = ({ selectFrom }: Debts) =>
  selectFrom('debt_events')
    .select(({ fn, selectFrom }) =>
      fn<{ from: DebtStatus; reason: string | null }>('json_build_object', [
        sql.lit('from'),
        sql`data ->> 'from'`,
        sql.lit('reason'),
        selectFrom('inbox_items')
          .select('reason')
          .whereRef('inbox_items.debtId', '=', 'debt_events.debtId')
          .where('closedAt', 'is not', null)
          .where('reason', 'not in', ['attachment', 'duplicate', 'refunded', 'undelivered', 'settings'])
          .orderBy('closedAt', 'desc')
          .limit(1)
          .$asScalar(),
      ]).as('decision'),
    )
    .whereRef('debt_events.debtId', '=', 'asked.id')
    .where('debt_events.kind', '=', 'status_changed')
    .where('debt_events.seq', '>', ({ fn, selectFrom }) =>
      fn.coalesce(
        selectFrom('debt_events as contact')
          .select(({ fn }) => fn.max('contact.seq').as('seq'))
          .whereRef('contact.debtId', '=', 'asked.id')
          .where('contact.kind', '=', 'verdict')
          .where(sql<boolean>`contact.data -> 'allowed' = 'true'::jsonb`),
        sql.lit(0),
      ),
    )
    .orderBy('debt_events.seq', 'desc')
    .limit(1);

const readFacts = prepared('contact_facts', (queries, { debtId, attemptKey }: Asked) =>
  queries
    .selectFrom('debts as asked')
    .select((debt) => [
      debt
        .exists(
          debt
            .selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.debtId', '=', 'asked.id')
            .where('messages.isUndoDue', '=', true),
        )
        .$castTo<boolean>()
        .as('hasLateFailure'),
      debt
        .exists(
          debt
            .selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.clientId', '=', 'asked.clientId')
            .where('messages.attemptKey', '=', attemptKey),
        )
        .$castTo<boolean>()
        .as('isTried'),
      lastDecision(debt).as('decision'),
      debt
        .selectFrom('message_texts')
        .select(
          sql<
            NonNullable<ContactFacts['wording']>
          >`json_build_object('version', version, 'text', text, 'short', short)`.as('wording'),
        )
        .whereRef('message_texts.campaignId', '=', 'asked.campaignId')
        .where('message_texts.step', '=', sql<number>`asked.step + 1`)
        .orderBy('message_texts.version', 'desc')
        .limit(1)
        .as('wording'),
      jsonArrayFrom(
        selectLatestMessages(queries, {
          debtorTaxId: debt.ref('asked.debtorTaxId'),
          sandbox: debt.ref('asked.sandbox'),
          phone: debt.ref('asked.debtorPhone'),
          limit: LATEST_TURNS,
        }),
      ).as('turns'),
    ])
    .where('asked.id', '=', debtId),
);

/** Returns undefined when the debt does not exist. */
export async function contactFacts(tx: Tx, asked: Asked): Promise<ContactFacts | undefined> {
  const [row] = await readFacts.run(tx, asked);
  if (row === undefined) return undefined;
  const { hasLateFailure, isTried, decision, wording } = row;
  return {
    hasLateFailure,
    isTried,
    wording,
    turns: rowsOfJson<TurnRow>(row.turns, ['at']),
    resumedAfter: decision === null ? null : resumedAfter(decision),
  };
}

function resumedAfter({ from, reason }: { readonly from: DebtStatus; readonly reason: string | null }) {
  if (!HELD.includes(from)) return null;
  if (from === 'DISPUTED') return 'dispute';
  return reason === 'said_paid' ? 'said_paid' : 'other';
}

type PersonAsked = Person & ContactsOfPersons;

/** What the policy is asked with besides the debt itself. */
interface PolicyFacts {
  readonly contacts: readonly LedgerRow[];
  readonly suppressions: readonly SuppressionRow[];
  readonly inboxWaiting: boolean;
}

export async function policyFacts(tx: Tx, asked: PersonAsked): Promise<PolicyFacts> {
  const [row] = await readPolicyFacts.run(tx, asked);
  if (row === undefined) throw new Error('A statement without a table returns one row');
  return {
    contacts: rowsOfJson<LedgerRow>(row.contacts, ['at']),
    suppressions: rowsOfJson<SuppressionRow>(row.suppressions),
    inboxWaiting: Boolean(row.inboxWaiting),
  };
}

const readPolicyFacts = prepared('policy_facts', (queries, asked: PersonAsked) =>
  queries.selectNoFrom((eb) => [
    jsonArrayFrom(selectContactsOfPersons(queries, asked)).as('contacts'),
    jsonArrayFrom(selectSuppressions(queries, asked)).as('suppressions'),
    isUnhandled(eb, asked).as('inboxWaiting'),
  ]),
);
