import { Parser } from 'htmlparser2';

export interface SheetPart {
  /** The position in the workbook, from 1. */
  readonly position: number;
  readonly name: string;
  /** The path of its file, when the workbook names one. */
  readonly path: string | undefined;
}

type Attributes = Readonly<Record<string, string>>;

/** Some programs write a prefix: `x:sheet`. */
const withoutPrefix = (tag: string): string => tag.slice(tag.indexOf(':') + 1);

function eachTag(xml: Uint8Array, onTag: (tag: string, attributes: Attributes) => void): void {
  const parser = new Parser(
    { onopentag: (tag, attributes) => onTag(withoutPrefix(tag), attributes) },
    { xmlMode: true },
  );
  parser.end(new TextDecoder().decode(xml));
}

export interface Relations {
  /** The paths of files by the id of their relation. */
  readonly paths: ReadonlyMap<string, string>;
  readonly styles: string;
  readonly sharedStrings: string;
}

const pathOf = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`);

/** Reads which files belong to a workbook. The library that reads the cells finds them in the same way. */
export function readRelations(xml: Uint8Array): Relations {
  const paths = new Map<string, string>();
  const byType = new Map<string, string>();
  eachTag(xml, (tag, { Id, Type = '', Target }) => {
    if (tag !== 'Relationship' || Target === undefined) return;
    if (Id !== undefined) paths.set(Id, pathOf(Target));
    byType.set(Type.slice(Type.lastIndexOf('/') + 1), pathOf(Target));
  });
  return {
    paths,
    styles: byType.get('styles') ?? 'xl/styles.xml',
    sharedStrings: byType.get('sharedStrings') ?? 'xl/sharedStrings.xml',
  };
}

/** Reads the sheets that are not hidden. The library that reads the cells does not know which ones are. */
export function visibleSheets(workbook: Uint8Array, { paths }: Relations): SheetPart[] {
  const visible: SheetPart[] = [];
  let position = 0;
  eachTag(workbook, (tag, { name, state, ...others }) => {
    if (tag !== 'sheet' || !name) return;
    position += 1;
    if (state === 'hidden' || state === 'veryHidden') return;
    const relation = Object.entries(others).find(([attribute]) => /(?:^|:)id$/.test(attribute))?.[1];
    visible.push({ position, name, path: relation === undefined ? undefined : paths.get(relation) });
  });
  return visible;
}
