/** Stands on whatever a simulated debt's debtor reads, so that nobody takes it for a real document. */
export const TEST_MARK = 'DOCUMENTO DE TESTE, SEM VALOR';
