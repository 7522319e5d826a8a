export const MAX_VALUE_LENGTH = 100;

/** Returns a text that ends between two characters. */
export const cut = (text: string): string =>
  [...text.slice(0, 2 * MAX_VALUE_LENGTH)].slice(0, MAX_VALUE_LENGTH).join('');
