import { anyOf, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * Removes what names the person from the ended agreements about these erased debts; the hash of the accepted text stays.
 * The evidence of an agreement is kept while one of its debts still names the person.
 */
export const forgetAgreements = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('agreements')
    .set({ acceptedText: '', acceptedPhone: '', cancelReason: null, pdf: null, sha256: null, updatedAt: NOW })
    .where('agreements.id', 'in', ({ selectFrom }) =>
      selectFrom('agreement_debts').select('agreementId').where('debtId', '=', anyOf(debtIds, 'uuid')),
    )
    .where('agreements.status', '<>', 'ACTIVE')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agreement_debts as one')
            .innerJoin('debts', 'debts.id', 'one.debtId')
            .select('one.id')
            .whereRef('one.agreementId', '=', 'agreements.id')
            .where('debts.erasedAt', 'is', null),
        ),
      ),
    )
    .execute();
