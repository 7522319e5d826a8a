import { type Html, html } from './html.ts';

export const REFERENCE_STYLE_PATH = '/assets/reference.css';

/** The frame of the pages for developers. The pages in Portuguese have `publicPage`. */
export function referencePage(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Quita</title>
<link rel="stylesheet" href="${REFERENCE_STYLE_PATH}">
</head>
<body>
<header><nav aria-label="Main"><a href="/docs">Quita API</a> <a href="/problems">Problems</a> <a href="/openapi.json">OpenAPI</a></nav></header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
