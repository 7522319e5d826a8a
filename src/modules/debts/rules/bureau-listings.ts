import type { DebtStatus } from '../../../kernel/debt-status.ts';

/** Whoever has paid, or pays by agreement, may not stay listed at a bureau. */
export const ENDS_LISTINGS: readonly DebtStatus[] = ['PAID', 'AGREEMENT'];
