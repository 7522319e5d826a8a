/** What a person asks for on the page of their rights. */
export const RIGHTS_KINDS = ['correction', 'dispute', 'score_review', 'preference', 'silence', 'not_mine'] as const;
export type RightsKind = (typeof RIGHTS_KINDS)[number];

/** These wait for a person at the client. The others are done at once, and have a protocol that proves it. */
export const ANSWERED_BY_STAFF = ['correction', 'dispute', 'score_review'] as const satisfies readonly RightsKind[];
export type AnsweredByStaff = (typeof ANSWERED_BY_STAFF)[number];

export const OUTCOMES = ['granted', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The law gives the holder of the data so many days for a complete answer (LGPD, art. 19, II). */
export const DAYS_TO_ANSWER = 15;

/** So many days before the last one the staff are reminded. */
export const REMINDER_DAYS = [5, 1] as const;

export const MAX_ASKED = 2_000;
export const MAX_ANSWER = 4_000;

/** The digits of the CPF or CNPJ that open the page. A CNPJ may have letters. */
export const digitsOf = (taxId: string): string => taxId.slice(-4);

/** Why a form is not taken. The page says it in words. */
export const REFUSALS = ['empty', 'file_kind', 'file_size', 'no_opening', 'channel', 'hours'] as const;
export type Refusal = (typeof REFUSALS)[number];
