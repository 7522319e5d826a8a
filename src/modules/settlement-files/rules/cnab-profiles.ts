/** The first and the last position of a field, from 1 and both included, as the documents of banks count. */
export type Place = readonly [from: number, to: number];

/** A file with 240 positions in a line: FEBRABAN's places, and those of the banks that differ. */
export interface Profile240 {
  readonly ourNumber: Place;
  readonly title: Place;
  readonly titleOfCompany: Place;
  readonly taxIdKind: Place;
  readonly taxId: Place;
  readonly reasons: Place;
}

const FEBRABAN_240: Profile240 = {
  ourNumber: [38, 57],
  title: [59, 73],
  titleOfCompany: [106, 130],
  taxIdKind: [133, 133],
  taxId: [134, 148],
  reasons: [214, 223],
};

/** The numbers of titles are those of pycobranca 1.1.2 and of return files of brcobranca. */
const PROFILES_240: Readonly<Record<string, Partial<Profile240>>> = {
  // Santander's segment T stands four or five positions further left.
  '033': {
    ourNumber: [41, 53],
    title: [55, 69],
    titleOfCompany: [101, 125],
    taxIdKind: [128, 128],
    taxId: [129, 143],
    reasons: [209, 218],
  },
  '104': { ourNumber: [40, 56] },
  '341': { ourNumber: [41, 48] },
  '756': { ourNumber: [38, 47] },
};

export const profile240 = (bank: string): Profile240 => ({ ...FEBRABAN_240, ...PROFILES_240[bank] });

/** A file with 400 positions in a line. */
export interface Profile400 {
  readonly occurrence: Place;
  readonly occurredOn: Place;
  readonly title: Place;
  readonly ourNumber: Place | null;
  readonly paid: Place;
  /** The occurrences that mean money. All others are confirmations, refusals, write-offs and fees. */
  readonly settles: readonly string[];
}

const USUAL_400: Profile400 = {
  occurrence: [109, 110],
  occurredOn: [111, 116],
  title: [117, 126],
  ourNumber: null,
  paid: [254, 266],
  settles: ['06'],
};

/**
 * Places are those of pycobranca 1.1.2; occurrences are compared with ACBr's tables. The same number says another thing
 * at another bank: 15 is a payment at a notary at Bradesco, a refused write-off at Itaú and a changed amount at Inter.
 */
const PROFILES_400: Readonly<Record<string, Partial<Profile400>>> = {
  '001': { ourNumber: [64, 80], settles: ['05', '06', '07', '08', '15'] },
  '033': { ourNumber: [63, 70], settles: ['06', '07', '08', '17'] },
  '041': { ourNumber: [63, 72] },
  '077': { occurrence: [90, 91], occurredOn: [92, 97], title: [98, 107], ourNumber: [71, 81], paid: [160, 172] },
  // Caixa's own document could not be had: its usual places, and 21 and 22, are not verified.
  '104': { ourNumber: [57, 73], settles: ['06', '21', '22'] },
  '237': { ourNumber: [71, 82], settles: ['06', '15', '16', '17'] },
  '341': { ourNumber: [63, 70], settles: ['06', '07', '08'] },
  '422': { ourNumber: [63, 71], settles: ['06', '15', '41'] },
  '748': { ourNumber: [48, 62] },
  '756': { ourNumber: [63, 74], settles: ['05', '06', '15'] },
};

export const profile400 = (bank: string): Profile400 => ({ ...USUAL_400, ...PROFILES_400[bank] });
