/** Returns the valid CPF that begins with these nine digits. */
export function cpfOf(nine: number): string {
  const digits = [...String(nine).padStart(9, '0')].map(Number);
  for (const start of [10, 11]) {
    const sum = digits.reduce((total, digit, at) => total + digit * (start - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

/** Returns a valid element of an import; each number makes a different debt. */
export const debtInput = (n: number, given: object = {}) => ({
  debtorName: `Maria da Conceição ${n}`,
  debtorPhone: `+55119${String((80_000_000 + n) % 100_000_000).padStart(8, '0')}`,
  debtorCpf: cpfOf(100_000_000 + n),
  originalAmount: 150.75,
  dueDate: '2026-10-05',
  invoiceId: `NF-${n}`,
  ...given,
});

export type DebtInput = ReturnType<typeof debtInput>;

export const debtInputs = (count: number, from = 1): DebtInput[] =>
  Array.from({ length: count }, (_, index) => debtInput(from + index));
