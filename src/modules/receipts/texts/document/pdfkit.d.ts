/** Options that pdfkit 0.20 accepts and that its published types lack. */
import type { Font } from 'fontkit';

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, source: Font | string): this;
    }
    interface StructureElementOptions {
      bbox?: [number, number, number, number];
      placement?: 'Block' | 'Inline';
      scope?: 'Row' | 'Column' | 'Both';
    }
  }
}
