import type { LocalDate } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { moveInstalment } from '../../agreements/use-cases/move-instalment.ts';
import { addNotice } from './checkout-notices.ts';
import type { PaymentDeps } from './deps.ts';
import { agreementOfDebt } from './payable.ts';
import { type ButtonPage, onPage } from './press-button.ts';

export type MoveOnPage = ButtonPage & {
  /** Which agreement; the page of a person may show several, and without it the first is meant. */
  readonly protocol?: string | undefined;
  readonly instalment: number;
  readonly to: LocalDate;
};

/** Moves an instalment for the debtor. Returns the id of the notice that says how that ended. */
export const moveOnPage =
  (deps: Pick<PaymentDeps, 'db' | 'now' | 'policy' | 'workflows'>) =>
  ({ protocol, instalment, to, ...page }: MoveOnPage): Promise<string> =>
    onPage(deps, page, async (tx, { id: debtId, clientId }, toPay) => {
      const ids = [...new Set(toPay.flatMap((debt) => agreementOfDebt(debt) ?? []))];
      const agreements = await Promise.all(ids.map((id) => readAgreement(tx, id)));
      const agreement = agreements.find((one) => protocol === undefined || one?.protocol === protocol);
      if (agreement === undefined) throw new AppError('not_found');
      const moved = await moveInstalment(tx, deps, { agreementId: agreement.id, instalment, to });
      return addNotice(tx, { clientId, debtId, notice: moved === 'refused' ? 'not-moved' : 'moved' });
    });
