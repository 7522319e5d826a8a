/** Leaves the area code and the last four digits of a phone in E.164 format: enough to recognise one's own. */
export const maskPhone = (phone: string): string =>
  phone === '' ? '' : `(${phone.slice(3, 5)}) ${'*'.repeat(Math.max(0, phone.length - 9))}-${phone.slice(-4)}`;
