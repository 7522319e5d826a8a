/** The area codes outside the time of Brasília, by their time zone. Times on a timeline are those of the debtor. */
const ZONES: readonly (readonly [zone: string, place: string, areaCodes: readonly string[]])[] = [
  ['America/Rio_Branco', 'Rio Branco', ['68']],
  ['America/Manaus', 'Manaus', ['92', '97']],
  ['America/Porto_Velho', 'Porto Velho', ['69']],
  ['America/Boa_Vista', 'Boa Vista', ['95']],
  ['America/Cuiaba', 'Cuiabá', ['65', '66']],
  ['America/Campo_Grande', 'Campo Grande', ['67']],
];

export interface PlaceOfDebtor {
  readonly zone: string;
  readonly place: string;
}

const BRASILIA: PlaceOfDebtor = { zone: 'America/Sao_Paulo', place: 'Brasília' };

/** Where the owner of a phone such as `+5592987650001` probably is. */
export function placeOfPhone(e164: string): PlaceOfDebtor {
  const areaCode = e164.startsWith('+55') ? e164.slice(3, 5) : '';
  const found = ZONES.find(([, , areaCodes]) => areaCodes.includes(areaCode));
  return found === undefined ? BRASILIA : { zone: found[0], place: found[1] };
}
