import type { Page, Request } from 'playwright-core';

/** `401 POST /api/session/token`, without the query, or a pattern of such a line. */
export type Allowed = string | RegExp;

export interface Watch {
  readonly url: string;
  /** Milliseconds since the last request began or ended; 0 while one is under way. */
  readonly quietMs: () => number;
  readonly underWay: () => string[];
  readonly takeProblems: () => string[];
  readonly allow: (...more: readonly Allowed[]) => void;
}

/** Chromium writes this line for each refused request, which is judged by its own rule. */
const REFUSED = /^Failed to load resource: the server responded with a status of/;
const ABORTED = 'net::ERR_ABORTED';

/** Notes what a page of the console must not do. */
export async function watchPage(page: Page, url: string, given: readonly Allowed[]): Promise<Watch> {
  const allowed = [...given];
  const problems: string[] = [];
  const pending = new Set<Request>();
  let changedAt = Date.now();
  const note = (problem: string): void => void problems.push(problem);

  const nameOf = (request: Request): string => `${request.method()} ${new URL(request.url()).pathname}`;
  const isAllowed = (line: string): boolean =>
    allowed.some((one) => (typeof one === 'string' ? one === line : one.test(line)));
  const end = (request: Request): void => {
    pending.delete(request);
    changedAt = Date.now();
  };

  await page.exposeFunction('reportViolation', (what: string) => note(`violation of the policy: ${what}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) note(`error log: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`script error: ${error.stack ?? error.message}`));
  page.on('crash', () => note('the page crashed'));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol === 'data:') return;
    if (origin !== url) note(`request to another host: ${request.url()}`);
    pending.add(request);
    changedAt = Date.now();
  });
  page.on('requestfinished', end);
  page.on('requestfailed', (request) => {
    end(request);
    const reason = request.failure()?.errorText ?? '';
    const line = `failed ${nameOf(request)}`;
    // A navigation ends what the last page was asking.
    if (reason !== ABORTED && !isAllowed(line)) note(`${line}: ${reason}`);
  });
  page.on('response', (response) => {
    const line = `${response.status()} ${nameOf(response.request())}`;
    if (response.status() >= 400 && !isAllowed(line)) note(`refused request: ${line}`);
  });

  return {
    url,
    quietMs: () => (pending.size > 0 ? 0 : Date.now() - changedAt),
    underWay: () => [...pending].map(nameOf),
    takeProblems: () => problems.splice(0),
    allow: (...more) => void allowed.push(...more),
  };
}
