import QRCode from 'qrcode';

// M still reads with 15 % of the code damaged; four modules of white around it are what the standard asks.
const QUIET_ZONE = 4;
const LEVEL = 'M';

/** One `<svg>` element with a `viewBox` and no size of its own: the page gives it one. */
export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { type: 'svg', errorCorrectionLevel: LEVEL, margin: QUIET_ZONE });
}

export async function qrPng(text: string, widthPixels = 480): Promise<Uint8Array> {
  return QRCode.toBuffer(text, { type: 'png', errorCorrectionLevel: LEVEL, margin: QUIET_ZONE, width: widthPixels });
}

export interface QrModules {
  readonly size: number;
  isDark(row: number, column: number): boolean;
}

/** For documents that draw the code as vectors; without the white border. */
export function qrModules(text: string): QrModules {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: LEVEL });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
}
