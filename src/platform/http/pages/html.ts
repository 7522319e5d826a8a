import { escapeHtml } from '../../../kernel/texts/escape-html.ts';

/** Text that is already HTML. All other values in a template are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | undefined | readonly Piece[];

function piece(value: Piece): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(piece).join('') : escapeHtml(String(value));
}

export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(strings.reduce((text, string, index) => text + piece(values[index - 1]) + string));
}

/** Escapes a text and turns `code` in backticks into a code element. */
export const prose = (text: string): Html => new Html(escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
