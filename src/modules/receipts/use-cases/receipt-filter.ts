import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { readProtocolStart } from '../../../kernel/protocol.ts';
import { searchTermsOf } from '../../../kernel/search-terms.ts';
import { startOfStatisticsDay } from '../../../kernel/statistics-day.ts';
import type { ReceiptTerms } from '../queries/receipt-search.ts';

/** Which receipts staff want; absent conditions do not filter. */
export interface ReceiptFilter {
  readonly q?: string | undefined;
  readonly campaignId?: string | undefined;
  /** The first and the last day of issue, by the clock of São Paulo. */
  readonly from?: LocalDate | undefined;
  readonly to?: LocalDate | undefined;
}

export const receiptTermsOf = (q: string): ReceiptTerms => ({
  debt: searchTermsOf(q),
  protocol: readProtocolStart(q),
});

export const issuedWithin = ({ from, to }: Pick<ReceiptFilter, 'from' | 'to'>) => ({
  issuedFrom: from === undefined ? undefined : new Date(startOfStatisticsDay(from)),
  issuedBefore: to === undefined ? undefined : new Date(startOfStatisticsDay(addDays(to, 1))),
});
