import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface StructureNode {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly StructureNode[];
}

export interface ReadPdf {
  readonly pages: number;
  readonly text: string;
  readonly pageTexts: readonly string[];
  readonly info: Readonly<Record<string, unknown>>;
  readonly xmp: (name: string) => unknown;
  readonly marked: boolean;
  readonly roles: readonly string[];
  readonly figureTexts: readonly string[];
  readonly links: readonly string[];
}

function* nodesOf(node: StructureNode): Generator<StructureNode> {
  yield node;
  for (const child of node.children ?? []) yield* nodesOf(child);
}

/** Reads a PDF with a library other than the one that wrote it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false });
  const pdf = await task.promise;
  const texts: string[] = [];
  const nodes: StructureNode[] = [];
  const links: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    texts.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
    const tree = (await page.getStructTree()) as StructureNode | null;
    if (tree) nodes.push(...nodesOf(tree));
    for (const annotation of await page.getAnnotations()) if (annotation.url) links.push(annotation.url);
  }
  const { info, metadata } = await pdf.getMetadata();
  const mark = (await pdf.getMarkInfo()) as ReadonlyMap<string, boolean> | null;
  await task.destroy();
  return {
    pages: pdf.numPages,
    text: texts.join('\n'),
    pageTexts: texts,
    info: info as Record<string, unknown>,
    xmp: (name) => metadata?.get(name),
    marked: mark?.get('Marked') === true,
    roles: nodes.flatMap(({ role }) => (role ? [role] : [])),
    figureTexts: nodes.flatMap(({ alt }) => (alt ? [alt] : [])),
    links,
  };
}
