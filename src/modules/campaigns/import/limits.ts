export const MAX_DEBTS = 50_000;
export const MAX_IMPORT_BYTES = 32 * 1024 * 1024;
