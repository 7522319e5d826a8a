import { checkDigit } from './check-digit.ts';

const SHAPE = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/;

/** Returns the 11 digits of a valid CPF, with or without punctuation; null for any other value. */
export const parseCpf = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 30) return null;
  const text = value.trim();
  if (!SHAPE.test(text)) return null;
  const cpf = text.replace(/\D/g, '');
  if (/^(\d)\1{10}$/.test(cpf)) return null;
  return cpf === cpfOf(cpf.slice(0, 9)) ? cpf : null;
};

/** Returns the 11 digits that begin with these nine. */
export function cpfOf(nine: string): string {
  const first = checkDigit(nine, [10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return `${nine}${first}${checkDigit(`${nine}${first}`, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])}`;
}

export const formatCpf = (cpf: string): string =>
  `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`;

/** Writes `***.982.247-**`, which its owner recognises and which does not reveal the CPF to anybody else. */
export const maskCpf = (cpf: string): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`;
