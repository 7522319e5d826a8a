const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/;
const HEX = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The id of a charge or of a refund at the bank: our UUID without hyphens, because the bank takes letters and digits. */
export const bankIdOf = (uuid: string): string | null => (UUID.test(uuid) ? uuid.replaceAll('-', '') : null);

/** The UUID again; null for an id that we have not made. */
export const referenceOf = (bankId: string): string | null => HEX.exec(bankId)?.slice(1).join('-') ?? null;

/** The ids of charges that are made by a program. A code without a charge has a shorter one, or none. */
export const isTxid = (text: string): boolean => /^[A-Za-z0-9]{26,35}$/.test(text);
