import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { VERIFY_EVIDENCE_TEXTS as TEXTS } from '../../texts/verify-evidence.ts';

export const VERIFY_EVIDENCE_PATH = '/verify-evidence';
export const VERIFY_EVIDENCE_SCRIPT_PATH = '/assets/verify-evidence.js';

/** The page is the same for everybody. Its script reads the file where it is, and asks the deployment for its keys alone. */
export const verifyEvidencePage = (): string =>
  publicPage({
    title: TEXTS.title,
    kind: 'account',
    scriptPath: VERIFY_EVIDENCE_SCRIPT_PATH,
    body: html`<main>
<h1>${TEXTS.heading}</h1>
<p>${TEXTS.intro}</p>
<p>${TEXTS.stays}</p>
<noscript><p role="alert">${TEXTS.noScript}</p></noscript>
<label for="pack">${TEXTS.choose}</label>
<input id="pack" type="file" accept=".zip,application/zip" aria-describedby="message">
<p id="message" role="status" aria-live="polite"></p>
<ul id="details"></ul>
</main>`,
  });
