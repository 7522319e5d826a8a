interface Place {
  readonly profile: string;
  /** The addresses of a bank without a profile. */
  readonly custom: { readonly baseUrl: string } | null;
}

/** Says at which bank an account is: by the profile, or by the address of a bank that has none. */
export const bankOfAccount = ({ profile, custom }: Place): string =>
  custom === null ? profile : new URL(custom.baseUrl).href.replace(/\/+$/, '');

/** No Pix key contains it. */
const AT = ' at ';

/** The id of the account that has a Pix key at a bank to which the key has moved from another one. */
export const idAtBank = (key: string, bank: string): string => `${key}${AT}${bank}`;

/** Returns what people know an account by: the Pix key, or what else its provider calls it. */
export const nameOfAccount = (accountId: string): string => accountId.split(AT, 1)[0]!;
