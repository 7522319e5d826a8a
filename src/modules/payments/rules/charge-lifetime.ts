import { addDays, daysBetween, type LocalDate, localDate, startOfDay } from '../../../kernel/calendar.ts';

const MINUTE = 60_000;

/** A Pix code can be paid for this long after it was made. */
export const CHARGE_LIFETIME_MS = 3 * 24 * 60 * MINUTE;

/** A code that is shown can still be paid for at least this long; otherwise a new one is made. */
export const LEAST_TIME_TO_PAY_MS = 60 * MINUTE;

/** The shortest and the longest lifetime that providers accept. */
export const SHORTEST_CHARGE_LIFETIME_MS = 30 * MINUTE;
export const MAX_CHARGE_LIFETIME_MS = 30 * 24 * 60 * MINUTE;

/** Until when a charge can be paid. What is not yet due may be paid for some days after its due date. */
export type PayableUntil =
  | { readonly kind: 'until'; readonly expiresAt: Date }
  | { readonly kind: 'due'; readonly dueDate: LocalDate; readonly validDays: number; readonly expiresAt: Date };

/** Banks count the days of a due date by the time of Brasília. */
const BRASILIA = -3;

/** A code with a due date can still be paid for so many days after it, as long as an agreement is given time. */
const VALID_DAYS = 30;

/** Returns the last moment at which a code that is due on a day can be paid. */
export const endOfDueCode = (dueOn: LocalDate): Date => new Date(startOfDay(addDays(dueOn, VALID_DAYS + 1), BRASILIA));

/** Returns how a stored charge is asked for. It follows from what is stored alone, so that a repetition asks the same. */
export const payableUntil = ({ dueOn, expiresAt }: StoredLife): PayableUntil =>
  dueOn === null
    ? { kind: 'until', expiresAt }
    : {
        kind: 'due',
        dueDate: dueOn,
        validDays: daysBetween(dueOn, localDate(expiresAt.getTime(), BRASILIA)) - 1,
        expiresAt,
      };

interface StoredLife {
  readonly dueOn: LocalDate | null;
  readonly expiresAt: Date;
}
