/** Text that is already HTML. All other values in a template are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (value: unknown): string => String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);

type Piece = Html | string | number | undefined | readonly Piece[];

function piece(value: Piece): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(piece).join('') : escaped(value);
}

export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(strings.reduce((text, string, index) => text + piece(values[index - 1]) + string));
}

/** Escapes a text and turns `code` in backticks into a code element. */
export const prose = (text: string): Html => new Html(escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
