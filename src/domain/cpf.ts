import { checkDigit } from './check-digit.ts';

const SHAPE = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/;

/** The 11 digits of a valid CPF, formatted or not; null when it is not one. */
export const parseCpf = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 30) return null;
  const text = value.trim();
  if (!SHAPE.test(text)) return null;
  const cpf = text.replace(/\D/g, '');
  if (/^(\d)\1{10}$/.test(cpf)) return null;
  const first = checkDigit(cpf.slice(0, 9), [10, 9, 8, 7, 6, 5, 4, 3, 2]);
  const second = checkDigit(cpf.slice(0, 9) + first, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return cpf.endsWith(`${first}${second}`) ? cpf : null;
};

export const formatCpf = (cpf: string): string =>
  `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`;

/** `***.982.247-**`: enough for its owner to recognise, too little for anybody else. */
export const maskCpf = (cpf: string): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`;
