/**
 * Brazilian states and area codes (DDD) are fixed here, because replayed histories must not change with a library's
 * data.
 */
export const STATES = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const;
export type State = (typeof STATES)[number];

/** Where the owner of a number may be: in any of these states, and at any of these offsets in hours ahead of UTC. */
export interface Place {
  readonly states: readonly State[];
  readonly utcOffsets: readonly number[];
}

const AREA_CODES_BY_STATES: readonly (readonly [string, readonly State[]])[] = [
  ['11 12 13 14 15 16 17 18 19', ['SP']],
  ['21 22 24', ['RJ']],
  ['27 28', ['ES']],
  ['31 32 33 34 35 37 38', ['MG']],
  ['41 43 44 45 46', ['PR']],
  ['42', ['PR', 'SC']],
  ['47 49', ['SC', 'PR']],
  ['48', ['SC']],
  ['51 53 54 55', ['RS']],
  ['61', ['DF', 'GO']],
  ['62 64', ['GO']],
  ['63', ['TO']],
  ['65 66', ['MT']],
  ['67', ['MS']],
  ['68', ['AC']],
  ['69', ['RO']],
  ['71 73 74 75 77', ['BA']],
  ['79', ['SE']],
  ['81 87', ['PE']],
  ['82', ['AL']],
  ['83', ['PB']],
  ['84', ['RN']],
  ['85 88', ['CE']],
  ['86 89', ['PI']],
  ['91 93 94', ['PA']],
  ['92 97', ['AM']],
  ['95', ['RR']],
  ['96', ['AP']],
  ['98 99', ['MA']],
];

// Brazil has had no daylight saving time since 2019. The first offset applies to nearly everybody in the area code, and
// dates are shown in it.
const UTC_OFFSETS: Readonly<Record<string, readonly number[]>> = {
  '65': [-4],
  '66': [-4],
  '67': [-4],
  '69': [-4],
  '92': [-4],
  '95': [-4],
  '68': [-5],
  '81': [-3, -2], // Fernando de Noronha has the area code 81.
  '97': [-4, -5], // Western Amazonas has the area code 97 (Lei 12.876/2013).
};

const PLACES: ReadonlyMap<string, Place> = new Map(
  AREA_CODES_BY_STATES.flatMap(([codes, states]) =>
    codes.split(' ').map((code) => [code, { states, utcOffsets: UTC_OFFSETS[code] ?? [-3] }] as const),
  ),
);

export const AREA_CODES: readonly string[] = [...PLACES.keys()].sort();

// The owner of a number with an unknown area code may be anywhere, so every state and every offset applies.
const ANYWHERE: Place = { states: STATES, utcOffsets: [-3, -2, -4, -5] };

export const placeOf = (areaCode: string): Place => PLACES.get(areaCode) ?? ANYWHERE;

/** Returns where a person with numbers of these area codes may be: in the places of any of them. */
export const placeOfAll = (areaCode: string, others: readonly string[]): Place =>
  others.map(placeOf).reduce(
    (place, other) => ({
      states: [...new Set([...place.states, ...other.states])],
      utcOffsets: [...new Set([...place.utcOffsets, ...other.utcOffsets])],
    }),
    placeOf(areaCode),
  );

/** Returns `11` for `+5511987654321`. */
export const areaCodeOf = (e164: string): string => e164.slice(3, 5);

/** Returns the offset, in hours ahead of UTC, in which dates and times are written for this person. */
export const displayOffset = (areaCode: string): number => placeOf(areaCode).utcOffsets[0]!;

/**
 * Returns the one spelling (E.164) of a number: punctuation is removed, a missing country code is added, and a mobile
 * number from before 2016 (8 digits, which WhatsApp still reports for many) gets its ninth digit. Returns null when it
 * cannot be the number of a Brazilian subscriber.
 */
export const canonicalPhone = (value: string): string | null => {
  if (value.length > 40) return null;
  const digits = value.replace(/\D/g, '');
  const national = /^55\d{10,11}$/.test(digits) ? digits.slice(2) : digits;
  const areaCode = national.slice(0, 2);
  const subscriber = national.slice(2);
  if (!PLACES.has(areaCode)) return null;
  if (/^[6-9]\d{7}$/.test(subscriber)) return `+55${areaCode}9${subscriber}`;
  return /^([2-5]\d{7}|9\d{8})$/.test(subscriber) ? `+55${areaCode}${subscriber}` : null;
};

/**
 * Returns the stored numbers that an inbound sender may have, the most likely one first. WhatsApp may leave the ninth
 * digit out of newer mobile numbers too, and the eight remaining digits then look like a landline number.
 */
export const inboundPhones = (sender: string): readonly string[] => {
  const phone = canonicalPhone(sender);
  if (phone === null) return [];
  return phone.length === 13 ? [phone, `${phone.slice(0, 5)}9${phone.slice(5)}`] : [phone];
};

/** Returns the phones of a debt that may take over from the phone in use: those behind it. */
export const phonesBehind = (phones: readonly string[], inUse: string): readonly string[] =>
  phones.slice(phones.indexOf(inUse) + 1);

/**
 * Returns the phones of a debt when the client replaces the phone in use. A phone that was written to stays in front of
 * the new one, as one that was given up, so that what its holder writes later still belongs to the debt.
 */
export function phonesWithCorrected(
  phones: readonly string[],
  { inUse, next, wasWrittenTo }: { readonly inUse: string; readonly next: string; readonly wasWrittenTo: boolean },
): readonly string[] {
  const all = (phones.length === 0 ? [inUse] : phones).filter((phone) => phone !== next);
  return all.flatMap((phone) => (phone !== inUse ? [phone] : wasWrittenTo ? [inUse, next] : [next]));
}
