import type { HolidayCalendar } from '../../../kernel/holidays.ts';
import { areaCodeOf, displayOffset, placeOfAll } from '../../../kernel/phone.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { BureauTerms, DebtPlace } from '../rules/listing-terms.ts';

export interface BureauDeps {
  readonly bureauTerms: BureauTerms;
}

/** Where the debtor lives, as the phones tell. */
export const placeOfDebt = (
  { debtorPhone, phones }: Pick<DebtContext, 'debtorPhone' | 'phones'>,
  holidays: HolidayCalendar,
): DebtPlace => ({
  holidays,
  states: placeOfAll(areaCodeOf(debtorPhone), phones.map(areaCodeOf)).states,
  utcOffset: displayOffset(areaCodeOf(debtorPhone)),
});
