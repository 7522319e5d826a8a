import { type ExpressionBuilder, type InferResult, type Kysely, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { onlyOf, prepared, rowsOfJson, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  isUnhandled,
  type Person,
  type SeenDebts,
  seenDebts,
  selectWithOpenOnes,
} from '../../debts/queries/persons.ts';
import { type LedgerRow, selectContactsOfPersons } from '../../messaging/queries/contact-ledger.ts';
import { LATEST_TURNS, selectLatestMessages, type TurnRow } from '../../messaging/queries/messages.ts';
import { type SuppressionRow, selectSuppressions } from '../../messaging/queries/suppressions.ts';
import { type Charge, chargesOfJson, selectChargesOfDebt } from '../../payments/queries/charges.ts';
import type { ResumedAfter } from '../../policy/rules/collection-sequence.ts';

/** The statuses in which a debt waits for a decision of the staff. */
const HELD: readonly DebtStatus[] = ['DISPUTED', 'ON_HOLD'];

interface Attempt {
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

const selectContactFacts = (queries: Kysely<Tables>, { debtId, attemptKey }: Attempt) =>
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
    .where('asked.id', '=', debtId);

/** The debts of a contact, of which the one that is asked about has what decides about it. */
const readContact = prepared('contact_read', (queries, attempt: Attempt) =>
  selectWithOpenOnes(queries, attempt.debtId).select((debt) => [
    debt
      .case()
      .when('debts.id', '=', attempt.debtId)
      .then(jsonObjectFrom(selectContactFacts(queries, attempt)))
      .end()
      .as('facts'),
    debt
      .case()
      .when('debts.id', '=', attempt.debtId)
      .then(jsonArrayFrom(selectChargesOfDebt(queries, attempt.debtId)))
      .end()
      .as('charges'),
  ]),
);

export interface ReadContact extends SeenDebts {
  readonly facts: ContactFacts;
  readonly charges: readonly Charge[];
}

/** Reads everything that decides about the next contact of a debt. Returns null when the debt does not exist. */
export async function contactOf(tx: Tx, attempt: Attempt): Promise<ReadContact | null> {
  const seen = seenDebts(await readContact.run(tx, attempt), attempt.debtId);
  if (seen === null) return null;
  const { facts, charges } = seen.debt;
  const [row] = rowsOfJson<StoredFacts>(facts === null ? [] : [facts]);
  if (row === undefined) return null;
  const { hasLateFailure, isTried, decision, wording, turns } = row;
  return {
    ...seen,
    charges: chargesOfJson(charges ?? []),
    facts: {
      hasLateFailure,
      isTried,
      wording,
      turns: rowsOfJson<TurnRow>(turns, ['at']),
      resumedAfter: decision === null ? null : resumedAfter(decision),
    },
  };
}

type StoredFacts = InferResult<ReturnType<typeof selectContactFacts>>[number];

function resumedAfter({ from, reason }: { readonly from: DebtStatus; readonly reason: string | null }) {
  if (!HELD.includes(from)) return null;
  if (from === 'DISPUTED') return 'dispute';
  return reason === 'said_paid' ? 'said_paid' : 'other';
}

type PersonAsked = Person & {
  readonly personKey: string;
  readonly phoneKey: string;
  /** The client that asks. */
  readonly clientId: string;
  /** The earliest moment of a contact that counts. */
  readonly since: Date;
};

/** What the policy is asked with besides the debt itself. */
export interface PolicyFacts {
  readonly contacts: readonly LedgerRow[];
  readonly suppressions: readonly SuppressionRow[];
  readonly inboxWaiting: boolean;
}

const selectPolicyFacts = (queries: Kysely<Tables>, asked: PersonAsked) => {
  const { sandbox, clientId, since } = asked;
  const of = { sandbox, personKeys: onlyOf(asked.personKey), phoneKeys: onlyOf(asked.phoneKey) };
  return queries.selectNoFrom((eb) => [
    jsonArrayFrom(selectContactsOfPersons(queries, { ...of, clientId, since })).as('contacts'),
    jsonArrayFrom(selectSuppressions(queries, of)).as('suppressions'),
    isUnhandled(eb, asked).as('inboxWaiting'),
  ]);
};

const readPolicyFacts = prepared('policy_facts', selectPolicyFacts);

export async function policyFacts(tx: Tx, asked: PersonAsked): Promise<PolicyFacts> {
  const [row] = await readPolicyFacts.run(tx, asked);
  if (row === undefined) throw new Error('A statement without a table returns one row');
  return factsFrom(row);
}

type StoredPolicyFacts = InferResult<ReturnType<typeof selectPolicyFacts>>[number];

const factsFrom = ({ contacts, suppressions, inboxWaiting }: StoredPolicyFacts): PolicyFacts => ({
  contacts: rowsOfJson<LedgerRow>(contacts, ['at']),
  suppressions: rowsOfJson<SuppressionRow>(suppressions),
  inboxWaiting: Boolean(inboxWaiting),
});

type AskedAtGate = PersonAsked & { readonly debtId: string };

const readAtGate = prepared('contact_gate', (queries, asked: AskedAtGate) =>
  selectWithOpenOnes(queries, asked.debtId).select((debt) =>
    debt
      .case()
      .when('debts.id', '=', asked.debtId)
      .then(jsonObjectFrom(selectPolicyFacts(queries, asked)))
      .end()
      .as('facts'),
  ),
);

/** Reads the debts of a contact with what the policy is asked with about the person. */
export async function debtsAtGate(
  tx: Tx,
  asked: AskedAtGate,
): Promise<(SeenDebts & { readonly facts: PolicyFacts }) | null> {
  const seen = seenDebts(await readAtGate.run(tx, asked), asked.debtId);
  const [row] = rowsOfJson<StoredPolicyFacts>(seen === null || seen.debt.facts === null ? [] : [seen.debt.facts]);
  return seen === null || row === undefined ? null : { ...seen, facts: factsFrom(row) };
}
