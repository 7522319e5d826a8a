import { type Insertable, sql } from 'kysely';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { StoredTerms } from '../rules/late-payment-terms.ts';

/** A row of `late_payment_terms` as the rules read it. */
const STORED = sql<StoredTerms>`jsonb_build_object(
  'id', late_payment_terms.id, 'effectiveFrom', late_payment_terms.effective_from,
  'finePercent', late_payment_terms.fine_basis_points / 100.0,
  'interest', jsonb_build_object('kind', late_payment_terms.interest_kind,
    'percent', late_payment_terms.interest_basis_points / 100.0),
  'correction', late_payment_terms.correction, 'graceDays', late_payment_terms.grace_days,
  'businessDayShift', late_payment_terms.business_day_shift, 'clause', late_payment_terms.clause)`;

const LATEST_FIRST = sql`late_payment_terms.effective_from desc, late_payment_terms.version desc`;

/**
 * The id of the version that the debt beside it takes when it is launched: the latest that began by its due date, as
 * `termsFor` in `rules/late-payment-terms.ts` chooses it.
 */
export const takenTermsId = (dueDate: string, clientId: string) => sql<string | null>`(
  select late_payment_terms.id from late_payment_terms
  where late_payment_terms.client_id = ${sql.ref(clientId)} and late_payment_terms.effective_from <= ${sql.ref(dueDate)}
  order by ${LATEST_FIRST} limit 1)`;

/** The version that the debt beside it has taken, or would take if its campaign were launched now. */
export const TERMS_OF_DEBT = sql<StoredTerms | null>`(
  select ${STORED} from late_payment_terms
  where late_payment_terms.client_id = debts.client_id
    and case when campaigns.launched_at is null then late_payment_terms.effective_from <= debts.due_date
      else late_payment_terms.id = debts.terms_id end
  order by ${LATEST_FIRST} limit 1)`;

/** Returns the versions of a client in the order of storing. */
export const termsVersions = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('late_payment_terms')
    .select([STORED.as('terms'), 'version', 'createdAt'])
    .where('clientId', '=', clientId)
    .orderBy('version')
    .execute();

/** The caller holds the lock of the client's row, so that no other request stores the same version. */
export const insertTerms = (tx: Tx, terms: Insertable<Tables['late_payment_terms']>) =>
  queriesIn(tx).insertInto('late_payment_terms').values(terms).returning(['id', 'createdAt']).executeTakeFirstOrThrow();
