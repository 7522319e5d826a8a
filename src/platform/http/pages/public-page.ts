import { GENUINE_PATH, GENUINE_WORDS } from '../../../kernel/texts/genuine.ts';
import { type Html, html } from './html.ts';

export const PAGE_TYPE = 'text/html; charset=utf-8';
export const PUBLIC_STYLE_PATH = '/assets/public.css';

export interface PublicPage {
  readonly title: string;
  /** Selects the rules of this kind of page in `assets/public.css`. */
  readonly kind: 'account' | 'checkout' | 'rights' | 'verify';
  readonly scriptPath?: string;
  readonly body: Html;
}

/** The frame of all pages in Portuguese; those of debtors lead to "É verdade?". Search engines and the pages that a link leads to learn nothing of them. */
export const publicPage = ({ title, kind, scriptPath, body }: PublicPage): string =>
  html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PUBLIC_STYLE_PATH}">
${scriptPath === undefined ? undefined : html`<script src="${scriptPath}" type="module"></script>`}
</head>
<body class="${kind}">
${body}
${kind === 'account' ? undefined : html`<p class="genuine"><a href="${GENUINE_PATH}">${GENUINE_WORDS}</a></p>`}
</body>
</html>
`.text;
