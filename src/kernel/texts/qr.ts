import QRCode from 'qrcode';

// Level M can be read with 15 % of the code damaged. The standard requires a white border of four modules.
const QUIET_ZONE = 4;
const LEVEL = 'M';

/** Returns one `<svg>` element with a `viewBox` and no size, because the page sets the size. */
export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { type: 'svg', errorCorrectionLevel: LEVEL, margin: QUIET_ZONE });
}
