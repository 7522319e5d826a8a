export const MAX_DEBTS = 50_000;
export const MAX_IMPORT_BYTES = 32 * 1024 * 1024;
/** Title, blank and group rows above the header are looked through up to this number of filled rows. */
export const MAX_ROWS_TO_HEADER = 20;
