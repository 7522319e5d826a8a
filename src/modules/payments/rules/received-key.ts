/** The key of a Pix between banks, which has the same number whoever tells of it: a file, or a bank. */
export const keyOfEndToEnd = (endToEndId: string): string => `e2e:${endToEndId.toUpperCase()}`;
