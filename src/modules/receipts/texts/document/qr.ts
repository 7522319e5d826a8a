import QRCode from 'qrcode';

export interface Square {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

export type QrDrawer = (doc: PDFKit.PDFDocument, text: string, square: Square) => void;

/** Draws a QR code as one vector path, which is sharp at any size and much cheaper than an image. */
export function drawQr(doc: PDFKit.PDFDocument, text: string, { x, y, size }: Square): void {
  const { modules } = QRCode.create([{ data: new TextEncoder().encode(text), mode: 'byte' }], {
    errorCorrectionLevel: 'M',
  });
  const unit = size / modules.size;
  for (let row = 0; row < modules.size; row++) {
    let start = -1;
    for (let column = 0; column <= modules.size; column++) {
      const dark = column < modules.size && modules.get(row, column) === 1;
      if (dark && start < 0) start = column;
      if (!dark && start >= 0) {
        doc.rect(x + start * unit, y + row * unit, (column - start) * unit, unit);
        start = -1;
      }
    }
  }
  doc.fill('#000000');
}
