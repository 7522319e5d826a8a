import { Parser } from 'htmlparser2';

const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
const WITHOUT_TEXT = new Set(['head', 'script', 'style', 'title', 'noscript', 'template']);
/** Classes and ids by which mail programs mark what they quote. */
const QUOTATIONS = /(?:gmail_quote|yahoo_quoted|protonmail_quote|zmail_extra|moz-cite-prefix)/;
/** What follows these is a quotation, without an element around it. */
const QUOTED_FROM_HERE =
  /^(?:divRplyFwdMsg|appendonsend|stopSpelling|mail-editor-reference-message-container|ms-outlook-mobile-body-separator-line)$/;
const SIGNATURES = /(?:gmail_signature|moz-signature|ms-outlook-mobile-signature|protonmail_signature)/;

/** Deeper elements are read like the one that contains them. */
const MAX_DEPTH = 200;

/**
 * The parser looks for each closing tag among all open elements: 60,000 tags took it a second. A long mail has about
 * 6,000, and what a person wrote stands at its beginning.
 */
const MAX_TAGS = 10_000;

type Mode = 'written' | 'quoted' | 'left_out';

/** Converts the HTML of a mail to text; quotations get `> ` before each line, as in a mail of text. */
export function textOfHtml(html: string): string {
  const modes: Mode[] = ['written'];
  const lines: string[] = [];
  let line = '';
  let quotedFromHere = false;
  const mode = (): Mode => modes[Math.min(modes.length, MAX_DEPTH) - 1]!;

  const endLine = (): void => {
    const words = line.trim();
    const quoted = quotedFromHere || mode() === 'quoted';
    if (words !== '' || lines.at(-1) !== '') lines.push(words === '' || !quoted ? words : `> ${words}`);
    line = '';
  };

  const parser = new Parser(
    {
      onopentag(name, { class: classes = '', id = '' }) {
        if (BLOCKS.has(name)) endLine();
        quotedFromHere ||= QUOTED_FROM_HERE.test(id);
        modes.push(modeOf(mode(), name, classes, id));
      },
      ontext(text) {
        if (mode() !== 'left_out') line += text.replace(/\s+/g, ' ');
      },
      onclosetag(name) {
        // An element without content, such as `br`, is closed at once and has ended the line already.
        if (BLOCKS.has(name) && name !== 'br' && name !== 'hr') endLine();
        modes.pop();
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.end(upToTag(html, MAX_TAGS));
  endLine();
  return lines.join('\n').trim();
}

function upToTag(html: string, count: number): string {
  let at = -1;
  for (let tag = 0; tag <= count; tag += 1) {
    at = html.indexOf('<', at + 1);
    if (at === -1) return html;
  }
  return html.slice(0, at);
}

function modeOf(outer: Mode, name: string, classes: string, id: string): Mode {
  if (outer === 'left_out' || WITHOUT_TEXT.has(name) || SIGNATURES.test(classes) || SIGNATURES.test(id))
    return 'left_out';
  if (outer === 'quoted' || name === 'blockquote') return 'quoted';
  return QUOTATIONS.test(classes) || QUOTATIONS.test(id) ? 'quoted' : 'written';
}
