import { fileURLToPath } from 'node:url';
import { type Font, type Glyph, type GlyphRun, openSync } from 'fontkit';

/** Noto Sans (SIL Open Font License, `fonts/OFL.txt`), reduced to Latin, Greek and Cyrillic. */
export const FONT_PATHS = {
  regular: fileURLToPath(new URL('./fonts/NotoSans-Regular.ttf', import.meta.url)),
  bold: fileURLToPath(new URL('./fonts/NotoSans-SemiBold.ttf', import.meta.url)),
} as const;

export interface Fonts {
  readonly regular: Font;
  readonly bold: Font;
  readonly hasGlyph: (codePoint: number) => boolean;
}

/** A method that fontkit's subsetter calls on a glyph and that its published type lacks. */
interface EmbeddableGlyph extends Glyph {
  _decode(): unknown;
}

let opened: Fonts | undefined;

function openFont(path: string): Font {
  const font = openSync(path);
  if ('fonts' in font) throw new Error('a font collection cannot be embedded');
  cacheLayouts(font);
  cacheOutlines(font);
  return font;
}

const MAX_CACHED_WORDS = 4_000;

/**
 * Receipts repeat the same few hundred words, and a third of the work is to find their glyphs and kerning. pdfkit
 * scales the positions in place, so each caller receives a copy.
 */
function cacheLayouts(font: Font): void {
  const shape = font.layout.bind(font);
  const known = new Map<string, GlyphRun>();
  font.layout = (text, features, ...rest) => {
    if (features !== undefined) return shape(text, features, ...rest);
    let run = known.get(text);
    if (!run) {
      if (known.size >= MAX_CACHED_WORDS) known.clear();
      run = shape(text);
      known.set(text, run);
    }
    const positions = run.positions.map((position) => ({ ...position }));
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions });
  };
}

/** Opens the fonts once for each thread, because parsing them takes longer than drawing the document. */
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

/**
 * Without this cache every embedded subset would decode the outlines of its glyphs again, although they never change.
 */
function cacheOutlines(font: Font): void {
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
