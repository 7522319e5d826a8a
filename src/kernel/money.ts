/** Money is an integer number of centavos in all code; reais occur only where values enter or leave the service. */
export const MAX_CENTAVOS = 9_999_999_999;

/** Converts reais to centavos exactly: a number with a fraction of a centavo (10.999) is refused, never rounded. */
export const parseReais = (value: unknown): number | null => {
  if (typeof value !== 'number' || !(value > 0) || value * 100 > MAX_CENTAVOS + 1) return null;
  const centavos = Math.round(value * 100);
  // 19.99 * 100 is 1998.9999999999998, so only the conversion back shows whether the decimal number was exact.
  return centavos / 100 === value && centavos >= 1 && centavos <= MAX_CENTAVOS ? centavos : null;
};

export const toReais = (centavos: number): number => centavos / 100;

/** Writes `R$ 1.234,56` without Intl, because its spaces and data change with the runtime. */
export const formatReais = (centavos: number): string => {
  const digits = String(Math.abs(centavos)).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${centavos < 0 ? '-' : ''}R$ ${whole},${digits.slice(-2)}`;
};
