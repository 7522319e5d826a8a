import type { AddTermsBody, LatePaymentTerms, PreviewTermsBody } from '../../api/client.ts';
import { parseReais } from '../../reais.ts';

/** The form as it is typed. */
export interface TermsForm {
  readonly effectiveFrom: string;
  readonly finePercent: string;
  readonly interestKind: AddTermsBody['interest']['kind'];
  readonly interestPercent: string;
  readonly correction: AddTermsBody['correction'];
  readonly graceDays: string;
  readonly businessDayShift: boolean;
  readonly clause: string;
  readonly amount: string;
  readonly dueDate: string;
  readonly on: string;
}

/** An example with all that a reader can check on paper: some six weeks late today. */
const EXAMPLE_AMOUNT = '150,75';
const EXAMPLE_DAYS = 46;
const DAY_MS = 86_400_000;

const dateText = (at: number): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(at);

/** `1.5` as `1,5`. */
const written = (value: number): string => String(value).replace('.', ',');

/** The form begins with the newest version, or with what most contracts say; the first version begins with the year. */
export function formOf(newest: LatePaymentTerms | undefined, now: number): TermsForm {
  const today = dateText(now);
  const example = { amount: EXAMPLE_AMOUNT, dueDate: dateText(now - EXAMPLE_DAYS * DAY_MS), on: today };
  if (newest === undefined) {
    return {
      effectiveFrom: `${today.slice(0, 4)}-01-01`,
      finePercent: '2',
      interestKind: 'monthly',
      interestPercent: '1',
      correction: 'none',
      graceDays: '0',
      businessDayShift: false,
      clause: '',
      ...example,
    };
  }
  const { finePercent, interest, correction, graceDays, businessDayShift, clause } = newest;
  return {
    effectiveFrom: today,
    finePercent: written(finePercent),
    interestKind: interest.kind,
    interestPercent: interest.percent === null ? '' : written(interest.percent),
    correction,
    graceDays: String(graceDays),
    businessDayShift,
    clause: clause ?? '',
    ...example,
  };
}

/** What is no number becomes `null` in the request, and the service names the field. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.')));

/** What the form holds, as the route takes it. */
export const bodyOf = (form: TermsForm): AddTermsBody => ({
  effectiveFrom: form.effectiveFrom,
  finePercent: numberOf(form.finePercent),
  interest: {
    kind: form.interestKind,
    percent:
      form.interestKind === 'monthly' && form.interestPercent.trim() !== '' ? numberOf(form.interestPercent) : null,
  },
  correction: form.correction,
  graceDays: numberOf(form.graceDays),
  businessDayShift: form.businessDayShift,
  clause: form.clause.trim() === '' ? null : form.clause.trim(),
});

const LEAST_CLAUSE = 10;

/**
 * What the preview asks. A clause changes no amount, so the example does not wait until it is written: another text stands
 * for it. An example that is not complete is left out.
 */
export function previewOf(form: TermsForm): PreviewTermsBody {
  const terms = bodyOf(form);
  const amount = parseReais(form.amount);
  const hasExample = amount !== null && form.dueDate !== '' && form.on !== '';
  return {
    ...terms,
    clause: (terms.clause ?? '').length < LEAST_CLAUSE ? 'a cláusula que ainda falta' : terms.clause,
    ...(hasExample && { example: { amount, dueDate: form.dueDate, on: form.on } }),
  };
}
