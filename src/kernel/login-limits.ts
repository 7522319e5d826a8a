/**
 * So many wrong passwords in a row lock the password login of an e-mail. The texts of problems, of the API reference and
 * of the e-mail about the lock name this number in words.
 */
export const WRONG_PASSWORDS_UNTIL_LOCK = 5;
export const LOCK_MINUTES = 15;

/** For so many days after a login from a browser or an address, wrong passwords from elsewhere do not lock it out. */
export const KNOWN_SOURCE_DAYS = 30;

/** Wrong passwords that no correct one followed count for so many days. Otherwise rare mistakes would add up to a lock. */
export const WRONG_PASSWORDS_COUNT_DAYS = 30;
