/** The two font weights that every document registers. */
export type FontName = 'regular' | 'bold';

export interface TextStyle {
  readonly font: FontName;
  readonly size: number;
  readonly color: string;
  readonly lineGap?: number;
  readonly align?: 'left' | 'right';
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export type Element = PDFKit.PDFStructureElement;

/** Draws tagged text and decoration marked as such, because PDF/UA requires every mark on a page to be one of them. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly root: Element;

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc;
    this.root = doc.struct('Document');
    doc.addStructure(this.root);
  }

  widthOf(text: string, style: TextStyle): number {
    this.#apply(style);
    return this.doc.widthOfString(text);
  }

  heightOf(text: string, width: number, style: TextStyle): number {
    this.#apply(style);
    const lineGap = style.lineGap ?? 0;
    if (this.doc.widthOfString(text) <= width) return this.doc.currentLineHeight(true) + lineGap;
    return this.doc.heightOfString(text, { width, lineGap });
  }

  /** Writes one tagged block and returns the y below it. */
  text(parent: Element, tag: string, text: string, box: Box, style: TextStyle): number {
    parent.add(this.doc.struct(tag, {}, () => this.#write(text, box, style)));
    return this.doc.y;
  }

  /** Writes parts of different style that are read as one paragraph. */
  runs(
    parent: Element,
    tag: string,
    runs: readonly { text: string; style: TextStyle }[],
    box: Box,
    lineGap: number,
  ): number {
    const draw = () => {
      runs.forEach(({ text, style }, index) => {
        this.#apply(style);
        const options = { width: box.width, lineGap, continued: index < runs.length - 1 };
        if (index === 0) this.doc.text(text, box.x, box.y, options);
        else this.doc.text(text, options);
      });
    };
    parent.add(this.doc.struct(tag, {}, draw));
    return this.doc.y;
  }

  /** Writes a web address that can be seen, read aloud and followed. */
  link(parent: Element, url: string, description: string, box: Box, style: TextStyle): number {
    const element = this.doc.struct('Link');
    parent.add(element);
    element.add(() => this.#write(url, box, style));
    const bottom = this.doc.y;
    // pdfkit writes plain strings as PDF names; a String object becomes the text that a screen reader speaks.
    const contents = Object(description) as string;
    const options = { structParent: element, Contents: contents };
    this.doc.link(box.x, box.y, box.width, bottom - box.y, url, options);
    element.end();
    return bottom;
  }

  figure(parent: Element, alt: string, bbox: [number, number, number, number], draw: () => void): void {
    parent.add(this.doc.struct('Figure', { alt, bbox, placement: 'Block' }, draw));
  }

  /** Opens a group, whose content is read together. */
  group(
    parent: Element,
    tag: string,
    fill: (element: Element) => void,
    options: { scope?: 'Row' | 'Column' } = {},
  ): void {
    const element = this.doc.struct(tag, options);
    parent.add(element);
    fill(element);
    element.end();
  }

  /** Draws lines, backgrounds and page numbers, which are never read aloud. */
  decoration(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  finish(): void {
    this.root.end();
  }

  #apply(style: TextStyle): void {
    this.doc.font(style.font).fontSize(style.size).fillColor(style.color);
  }

  #write(text: string, { x, y, width }: Box, style: TextStyle): void {
    this.#apply(style);
    const align = style.align ?? 'left';
    const lineGap = style.lineGap ?? 0;
    const natural = this.doc.widthOfString(text);
    if (natural > width) {
      this.doc.text(text, x, y, { width, align, lineGap });
      return;
    }
    // Most texts fit on one line, and a search for line breaks costs more than drawing the line.
    const indent = align === 'right' ? width - natural : 0;
    this.doc.text(text, x + indent, y, { lineBreak: false });
    this.doc.y = y + this.doc.currentLineHeight(true) + lineGap;
  }
}
