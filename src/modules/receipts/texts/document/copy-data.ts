import { type HasGlyph, printable, printableLines, printableName } from './printable.ts';

/** A copy of what is held of a person, as headings with lines below them. It is no receipt and proves nothing. */
export interface CopyData {
  readonly kind: 'copy';
  /** Stands in the metadata; a copy has no protocol. */
  readonly protocol: string;
  readonly templateVersion: 1;
  readonly issuedAt: Date;
  readonly creditor: { readonly name: string };
  readonly title: string;
  readonly subject: string;
  readonly sections: readonly { readonly heading: string; readonly lines: readonly string[] }[];
}

export function printableCopy(data: CopyData, hasGlyph: HasGlyph): CopyData {
  return {
    ...data,
    creditor: { name: printableName(data.creditor.name, hasGlyph) },
    sections: data.sections.map(({ heading, lines }) => ({
      heading: printable(heading, hasGlyph),
      lines: lines.map((line) => printableLines(line, hasGlyph)).filter((line) => line !== ''),
    })),
  };
}
