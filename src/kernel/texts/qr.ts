import QRCode from 'qrcode';

// Level M can be read with 15 % of the code damaged. The standard requires a white border of four modules.
const QUIET_ZONE = 4;
const LEVEL = 'M';

/** Returns one `<svg>` element with a `viewBox` and no size, because the page sets the size. */
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

/** Returns the modules without the white border, for documents that draw the code as vectors. */
export function qrModules(text: string): QrModules {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: LEVEL });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
}
