import { anyOf, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * Removes what names the person from the ended agreements about these erased debts; the hash of the accepted text stays.
 * The evidence of an agreement is kept while one of its debts still names the person, be it by a row that was imported
 * since: what the person owes by the agreement is owed by that row.
 */
export const forgetAgreements = (tx: Tx, debtorTaxId: string, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('agreements')
    .set({ acceptedText: '', acceptedPhone: '', cancelReason: null, pdf: null, sha256: null, updatedAt: NOW })
    .where('agreements.id', 'in', ({ selectFrom }) =>
      selectFrom('debts as erased')
        .innerJoin('debts as agreed', 'agreed.identityId', 'erased.identityId')
        .innerJoin('agreement_debts', 'agreement_debts.debtId', 'agreed.id')
        .select('agreement_debts.agreementId')
        .where('erased.id', '=', anyOf(debtIds, 'uuid'))
        // An earlier row of the debt may have named somebody else, who has agreed.
        .whereRef('agreed.erasedPersonKey', '=', 'erased.erasedPersonKey'),
    )
    .where('agreements.status', '<>', 'ACTIVE')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agreement_debts as one')
            .innerJoin('debts as agreed', 'agreed.id', 'one.debtId')
            .innerJoin('debts as row', 'row.identityId', 'agreed.identityId')
            .select('row.id')
            .whereRef('one.agreementId', '=', 'agreements.id')
            .where('row.debtorTaxId', '=', debtorTaxId),
        ),
      ),
    )
    .execute();
