import { Parser } from 'htmlparser2';

export interface SheetName {
  /** The position in the workbook, from 1. */
  readonly position: number;
  readonly name: string;
}

/** Reads the names of the sheets that are not hidden. The library that reads the cells does not know the hidden ones. */
export function visibleSheets(workbook: Uint8Array): SheetName[] {
  const visible: SheetName[] = [];
  let position = 0;
  const parser = new Parser(
    {
      onopentag(tag, { name, state }) {
        // Some programs write a prefix: `x:sheet`.
        if (tag.slice(tag.indexOf(':') + 1) !== 'sheet' || !name) return;
        position += 1;
        if (state !== 'hidden' && state !== 'veryHidden') visible.push({ position, name });
      },
    },
    { xmlMode: true },
  );
  parser.end(new TextDecoder().decode(workbook));
  return visible;
}
