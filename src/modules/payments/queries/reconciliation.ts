import { type NotNull, type Selectable, sql } from 'kysely';
import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { WITHOUT_TEMPORARY_PROBLEM } from './charges.ts';

type Charge = Selectable<Tables['charges']>;
type Debt = Selectable<Tables['debts']>;

/** The columns of the routine `take_due_charges`. */
export interface DueCharge
  extends Pick<Charge, 'id' | 'clientId' | 'debtId' | 'accountId' | 'amountCentavos' | 'createdAt' | 'expiresAt'> {
  /** Only a charge that the provider has made has a moment for the next question. */
  readonly provider: PaymentProviderName;
  readonly providerPaymentId: string;
  readonly accountFailures: number;
  readonly failures: number;
  readonly superseded: boolean;
  readonly debtStatus: Debt['status'];
  readonly wrongPerson: boolean;
}

interface Taking {
  readonly dueBy: Date;
  readonly leasedUntil: Date;
  readonly most: number;
  /** The client whose turn was last. */
  readonly after: string;
  readonly without: readonly string[];
}

export const TAKE_DUE_CHARGES = prepared('take_due_charges', (queries, params: Taking) =>
  queries
    .selectFrom(
      sql<DueCharge>`take_due_charges(${params.dueBy}, ${params.leasedUntil}, ${params.most}, ${params.after},
        ${params.without})`.as('due'),
    )
    .selectAll(),
);

interface EndOfQuestion {
  readonly chargeId: string;
  /** The moment that the run stored when it took the charge. A moment that was stored since is kept. */
  readonly leasedUntil: Date;
  readonly nextAskAt: Date;
}

interface WithCode {
  readonly brCode: string | null;
}

const nextAskAt = ({ leasedUntil, nextAskAt: next }: EndOfQuestion) =>
  sql<Date | null>`case when ask_at = ${leasedUntil}::timestamptz then ${next}::timestamptz else ask_at end`;

/**
 * Stores that the provider has answered, and when to ask again about a charge that is still pending. A charge that was
 * being registered has its code now.
 */
export const STORE_ANSWERED_QUESTION = prepared('charges_answered', (queries, params: EndOfQuestion & WithCode) =>
  queries
    .updateTable('charges')
    .set({
      lastAskedAt: NOW,
      askFailures: 0,
      problem: WITHOUT_TEMPORARY_PROBLEM,
      brCode: sql<string | null>`case when superseded_at is null then coalesce(br_code, ${params.brCode}::text) end`,
      askAt: nextAskAt(params),
    })
    .where('id', '=', params.chargeId)
    .where('askAt', 'is not', null),
);

/** Stores that the provider has not answered, and when to ask again. */
export const STORE_FAILED_QUESTION = prepared('charges_not_answered', (queries, params: EndOfQuestion) =>
  queries
    .updateTable('charges')
    .set({ askFailures: sql<number>`ask_failures + 1`, askAt: nextAskAt(params) })
    .where('id', '=', params.chargeId)
    .where('askAt', 'is not', null),
);

/** Returns charges of a debt, and of its agreement, that are not approved, the latest first. */
export const unsettledCharges = (tx: Tx, debtId: string, limit: number) =>
  queriesIn(tx)
    .selectFrom('charges')
    .select(['id', 'provider', 'accountId', 'providerPaymentId'])
    .where((charge) =>
      charge.or([
        charge('debtId', '=', debtId),
        charge('agreementId', '=', ({ selectFrom }) =>
          selectFrom('debts').select('debts.agreementId').where('debts.id', '=', debtId),
        ),
      ]),
    )
    .where('providerPaymentId', 'is not', null)
    .where('status', '<>', 'APPROVED')
    .orderBy('attempt', 'desc')
    .limit(limit)
    .$narrowType<{ providerPaymentId: NotNull; provider: PaymentProviderName }>()
    .execute();

/** Makes the reconciliation ask by `at`, unless it asks earlier or never again. */
export const askNoLaterThan = (tx: Tx, chargeId: string, at: Date) =>
  queriesIn(tx)
    .updateTable('charges')
    .set({ askAt: sql<Date>`least(ask_at, ${at}::timestamptz)` })
    .where('id', '=', chargeId)
    .where('askAt', 'is not', null)
    .execute();

/** Makes the next reconciliation ask about a charge that is still pending. */
export const askInNextRun = (tx: Tx, chargeId: string) =>
  queriesIn(tx)
    .updateTable('charges')
    .set({ askAt: NOW })
    .where('id', '=', chargeId)
    .where('status', '=', 'PENDING')
    .execute();
