import { fileURLToPath } from 'node:url';
import { type Font, type Glyph, type GlyphRun, openSync } from 'fontkit';

/** Noto Sans (SIL Open Font License, `fonts/OFL.txt`) cut down to Latin, Greek and Cyrillic. */
export const FONT_PATHS = {
  regular: fileURLToPath(new URL('./fonts/NotoSans-Regular.ttf', import.meta.url)),
  bold: fileURLToPath(new URL('./fonts/NotoSans-SemiBold.ttf', import.meta.url)),
} as const;

export interface Fonts {
  readonly regular: Font;
  readonly bold: Font;
  readonly hasGlyph: (codePoint: number) => boolean;
}

/** What fontkit's subsetter asks of a glyph, beyond its published type. */
interface EmbeddableGlyph extends Glyph {
  _decode(): unknown;
}

let opened: Fonts | undefined;

function openFont(path: string): Font {
  const font = openSync(path);
  if ('fonts' in font) throw new Error('a font collection cannot be embedded');
  rememberShapes(font);
  rememberOutlines(font);
  return font;
}

const REMEMBERED_WORDS = 4_000;

/**
 * Receipts repeat the same few hundred words, and finding their glyphs and kerning is a third of the work.
 * pdfkit scales the positions it is given in place, so each caller gets positions of its own.
 */
function rememberShapes(font: Font): void {
  const shape = font.layout.bind(font);
  const known = new Map<string, GlyphRun>();
  font.layout = (text, features, ...rest) => {
    if (features !== undefined) return shape(text, features, ...rest);
    let run = known.get(text);
    if (!run) {
      if (known.size >= REMEMBERED_WORDS) known.clear();
      run = shape(text);
      known.set(text, run);
    }
    const positions = run.positions.map((position) => ({ ...position }));
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions });
  };
}

/** Opened once for each thread: parsing them takes longer than drawing the document. */
export function receiptFonts(): Fonts {
  if (!opened) {
    const regular = openFont(FONT_PATHS.regular);
    const bold = openFont(FONT_PATHS.bold);
    opened = {
      regular,
      bold,
      hasGlyph: (codePoint) => regular.hasGlyphForCodePoint(codePoint) && bold.hasGlyphForCodePoint(codePoint),
    };
  }
  return opened;
}

/** Every embedded subset reads the outlines of its glyphs anew, though they never change. */
function rememberOutlines(font: Font): void {
  const glyphOf = font.getGlyph.bind(font);
  const prepared = new Set<number>();
  font.getGlyph = (id, codePoints) => {
    const glyph = glyphOf(id, codePoints) as EmbeddableGlyph;
    if (!prepared.has(id)) {
      prepared.add(id);
      const decode = glyph._decode.bind(glyph);
      let outline: { readonly decoded: unknown } | undefined;
      glyph._decode = () => {
        outline ??= { decoded: decode() };
        return outline.decoded;
      };
    }
    return glyph;
  };
}
