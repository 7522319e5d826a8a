import { escapeHtml } from '../../kernel/texts/escape-html.ts';

export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Returns the forms in which the whole mail is read and may be copied: its plain text, and what its page shows. */
export const formsOfMail = ({ text, html }: Pick<Email, 'text' | 'html'>): readonly string[] => [text, shownText(html)];

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns the text of a page that `htmlPage` has made. */
const shownText = (page: string): string =>
  page
    .slice(page.indexOf('<body'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity);

interface Link {
  readonly label: string;
  readonly url: string;
}

interface Content {
  readonly heading: string;
  readonly notice?: string | undefined;
  readonly paragraphs: readonly string[];
  readonly links?: readonly Link[];
  readonly button?: Link;
  readonly footnotes: readonly string[];
}

/** A mail in both of its forms. */
export const emailOf = (subject: string, content: Content): Email => ({
  subject,
  text: plainText(content),
  html: htmlPage(content),
});

function plainText({ heading, notice, paragraphs, links = [], button, footnotes }: Content): string {
  const listed = links.length === 0 ? [] : [links.map(({ label, url }) => `- ${label}:\n  ${url}`).join('\n')];
  const link = button === undefined ? [] : [`${button.label}:\n${button.url}`];
  const blocks = [...(notice ? [notice] : []), heading, ...paragraphs, ...listed, ...link, ...footnotes];
  return `${blocks.join('\n\n')}\n`;
}

function listHtml(links: readonly Link[]): string {
  const items = links.map(
    ({ label, url }) =>
      `<li style="margin:0 0 8px"><a href="${escapeHtml(url)}" style="color:#0b6b4f">${escapeHtml(label)}</a></li>`,
  );
  return `<ul style="margin:0 0 16px;padding-left:20px">\n${items.join('\n')}\n</ul>`;
}

function linkHtml(button: Link): string {
  const url = escapeHtml(button.url);
  return `<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:12px 22px;background:#0b6b4f;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#53605b;overflow-wrap:anywhere">Se o botão não abrir, copie este endereço: <a href="${url}" style="color:#0b6b4f">${url}</a></p>`;
}

/** Ends a sentence after an address and does not belong to it. */
const AFTER_LINK = /[.,;:!?)]$/;

/** Escapes a text, keeps its line breaks, and makes links of its web addresses. */
function textHtml(text: string): string {
  const word = (part: string): string => {
    if (!/^https?:\/\//.test(part)) return escapeHtml(part);
    const url = AFTER_LINK.test(part) ? part.slice(0, -1) : part;
    return `<a href="${escapeHtml(url)}" style="color:#0b6b4f;overflow-wrap:anywhere">${escapeHtml(url)}</a>${escapeHtml(part.slice(url.length))}`;
  };
  return text
    .split('\n')
    .map((line) => line.split(' ').map(word).join(' '))
    .join('<br>\n');
}

/** Styles are inline and there are no images, so mail programs show it alike and fetch nothing when it is opened. */
export function htmlPage({ heading, notice, paragraphs, links = [], button, footnotes }: Content): string {
  const block = (text: string, style: string): string => `<p style="margin:0 0 16px;${style}">${textHtml(text)}</p>`;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}</title>
</head>
<body style="margin:0;padding:24px;background:#f3f6f4;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#16211d;font-size:16px;line-height:1.5">
<div style="max-width:520px;margin:0 auto;background:#ffffff;border-top:6px solid #0b6b4f;border-radius:8px;padding:28px">
${notice ? block(notice, 'padding:10px 14px;background:#fff3d6;color:#7a4a00;font-weight:600') : ''}
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => block(text, '')).join('\n')}
${links.length === 0 ? '' : listHtml(links)}
${button === undefined ? '' : linkHtml(button)}
${footnotes.map((text) => block(text, 'font-size:13px;color:#53605b')).join('\n')}
</div>
</body>
</html>
`;
}
