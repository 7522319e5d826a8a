import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts';
import { html, prose } from './html.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';
import { referencePage } from './reference-page.ts';

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

export function problemPage(code: ErrorCode): string {
  const { cause, remedy } = PROBLEM_TEXTS[code];
  return referencePage(
    ERRORS[code].title,
    html`<p><code>${code}</code>, HTTP status ${ERRORS[code].status}</p>
<h2>Cause</h2>
<p>${prose(cause)}</p>
<h2>Remedy</h2>
<p>${prose(remedy)}</p>`,
  );
}

export function problemsPage(): string {
  const codes = Object.keys(ERRORS).filter(isErrorCode);
  const rows = codes.map(
    (
      code,
    ) => html`<tr><td>${ERRORS[code].status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${ERRORS[code].title}</td></tr>
`,
  );
  return referencePage(
    'Problems',
    html`<p>Every error is <code>application/problem+json</code> (RFC 9457). Decide by <code>code</code>; texts may change.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`,
  );
}
