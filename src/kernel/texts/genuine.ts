/** Where anybody checks whether what came is genuine. Every page, e-mail and document of a debtor leads there. */
export const GENUINE_PATH = '/verdade';

export const GENUINE_WORDS = 'É verdade? Confira';

/** The line for texts in which an address has to stand in full. */
export const genuineLine = (publicUrl: string): string => `${GENUINE_WORDS} em ${publicUrl}${GENUINE_PATH}`;
