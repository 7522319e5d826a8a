import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfCreditor } from '../../debts/queries/creditor.ts';
import type { Person } from '../../debts/queries/persons.ts';
import { ROW_OF_PERSON } from '../../debts/queries/row-of-person.ts';
import { ANSWERED_BY_STAFF, REMINDER_DAYS } from '../rules/rights-request.ts';

/** A mail that could not be sent for so long would only confuse. */
const MAX_HOURS = 48;

const RECENT = sql<Date>`quita_now() - make_interval(hours => ${sql.lit(MAX_HOURS)})`;

export type MailKind = 'received' | 'answered';

/**
 * Finds over all clients the requests of which a mail has to tell their person. The answer is told after the confirmation,
 * or once that is too late.
 */
export const DUE_RIGHTS_MAILS = prepared('due_rights_mails', (queries, { limit }: { readonly limit: number }) =>
  queries
    .selectFrom('rights_requests')
    .select(['rights_requests.id', 'rights_requests.clientId'])
    .select(
      sql<MailKind>`case when confirmed_at is null and created_at > ${RECENT} then 'received'
      else 'answered' end`.as('mail'),
    )
    .where('rights_requests.kind', 'in', ANSWERED_BY_STAFF)
    .where(({ and, eb, or }) =>
      or([
        and([eb('confirmedAt', 'is', null), eb('createdAt', '>', RECENT)]),
        and([
          eb('toldAt', 'is', null),
          or([eb('confirmedAt', 'is not', null), eb('createdAt', '<=', RECENT)]),
          eb('answeredAt', '>', RECENT),
        ]),
      ]),
    )
    .orderBy('createdAt')
    .limit(limit),
);

const COLUMN_OF = { received: 'confirmedAt', answered: 'toldAt' } as const;

/**
 * Books the mail before it is sent. Returns undefined when another run has booked it. It goes to the address that the
 * debt of the request has now, or else to that of another debt, if the debt still names the person who asked.
 */
export const bookRightsMail = (tx: Tx, id: string, mail: MailKind) =>
  queriesIn(tx)
    .updateTable('rights_requests')
    .from(['debts', 'debts as now', 'clients'])
    .set({ [COLUMN_OF[mail]]: NOW })
    .whereRef('debts.id', '=', 'rights_requests.debtId')
    .where(({ eb, ref }) => eb(ROW_OF_PERSON, '=', ref('now.id')))
    .whereRef('clients.id', '=', 'rights_requests.clientId')
    .where('rights_requests.id', '=', id)
    .where(`rights_requests.${COLUMN_OF[mail]}`, 'is', null)
    .returning(['rights_requests.protocol', 'rights_requests.dueAt', 'rights_requests.kind', 'rights_requests.debtId'])
    .returning(['now.debtorEmail', 'now.sandbox', 'now.debtorTaxId', 'now.erasedAt', 'now.wrongPersonAt'])
    .returning('now.identityId')
    .returning(nameOfCreditor('debts').as('creditorName'))
    .executeTakeFirst();

/**
 * Returns the newest address that another debt of the person has with the client, for a debt that has none. Where the debt
 * had one that was changed or taken away, or somebody has said of one that it is not the person's, the other debts may
 * still have just that one, and nothing is returned.
 */
export async function emailOfOtherDebt(
  tx: Tx,
  { debtorTaxId, sandbox, identityId }: Person & { readonly identityId: string },
): Promise<string | null> {
  const found = await queriesIn(tx)
    .selectFrom('debts')
    .select('debts.debtorEmail')
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .where('debts.debtorEmail', 'is not', null)
    .where('debts.erasedAt', 'is', null)
    .where('debts.wrongPersonAt', 'is', null)
    .where(({ eb, ref }) => eb(ROW_OF_PERSON, '=', ref('debts.id')))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('debt_events')
            .innerJoin('debts as changed', 'changed.id', 'debt_events.debtId')
            .select('debt_events.debtId')
            .where('changed.debtorTaxId', '=', debtorTaxId)
            .where('changed.sandbox', '=', sandbox)
            .where('debt_events.kind', '=', 'debt_changed')
            .where(sql<boolean>`debt_events.data ->> 'field' = 'debtorEmail'`)
            .where(({ eb, or }) =>
              or([
                eb('changed.identityId', '=', identityId),
                sql<boolean>`debt_events.data ->> 'reason' = 'wrong_person'`,
              ]),
            ),
        ),
      ),
    )
    .orderBy('debts.createdAt', 'desc')
    .orderBy('debts.id')
    .limit(1)
    .executeTakeFirst();
  return found?.debtorEmail ?? null;
}

/** Frees a mail that was certainly not sent. */
export const freeRightsMail = (tx: Tx, id: string, mail: MailKind) =>
  queriesIn(tx)
    .updateTable('rights_requests')
    .set({ [COLUMN_OF[mail]]: null })
    .where('id', '=', id)
    .execute();

const untilDue = (days: number) =>
  sql<boolean>`quita_now() >= due_at - make_interval(days => ${sql.lit(days)})
    and told_at < due_at - make_interval(days => ${sql.lit(days)})`;

/** Finds the clients whose digest has told an item before its last days began, so that the staff are told again. */
export const CLIENTS_TO_REMIND = prepared('rights_to_remind', (queries, _: object) =>
  queries
    .selectFrom('inbox_items')
    .select('clientId')
    .distinct()
    .where('reason', '=', 'rights')
    .where('closedAt', 'is', null)
    .where(({ or }) => or(REMINDER_DAYS.map(untilDue))),
);

/** The next digest tells these items once more. */
export const remindOfRights = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .updateTable('inbox_items')
    .set({ toldAt: null, digestId: null })
    .where('clientId', '=', clientId)
    .where('reason', '=', 'rights')
    .where('closedAt', 'is', null)
    .where(({ or }) => or(REMINDER_DAYS.map(untilDue)))
    .execute();
