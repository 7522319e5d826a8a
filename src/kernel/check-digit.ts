/** Returns the modulo 11 digit of a CPF or CNPJ; a letter of an alphanumeric CNPJ counts as its ASCII code minus 48. */
export const checkDigit = (text: string, weights: readonly number[]): number => {
  const sum = weights.reduce((total, weight, index) => total + weight * (text.charCodeAt(index) - 48), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
};
