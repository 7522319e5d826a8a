export const LONGEST_VALUE = 100;

/** Returns a text that ends between two characters. */
export const cut = (text: string): string => [...text.slice(0, 2 * LONGEST_VALUE)].slice(0, LONGEST_VALUE).join('');
