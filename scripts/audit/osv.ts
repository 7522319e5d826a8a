import { z } from 'zod';
import { type Finding, type LockedPackage, NotAnswered, severityOf } from './finding.ts';

/** The service accepts at most 1,000 queries in one call. */
const BATCH = 500;
const AT_ONCE = 8;
const TIMEOUT_MS = 30_000;
/** The most pages for one query: a service that returns more probably repeats the same page for ever. */
const MAX_PAGES = 50;

const batchAnswer = z.object({
  results: z.array(
    z.object({
      vulns: z.array(z.object({ id: z.string() })).nullish(),
      next_page_token: z.string().nullish(),
    }),
  ),
});

const advisory = z.object({
  id: z.string(),
  summary: z.string().optional(),
  details: z.string().optional(),
  aliases: z.array(z.string()).nullish(),
  withdrawn: z.string().nullish(),
  database_specific: z.object({ severity: z.string().optional() }).nullish(),
});
type Advisory = z.infer<typeof advisory>;

const ask = async <Answer>(url: string, schema: z.ZodType<Answer>, body?: unknown): Promise<Answer> => {
  const { host } = new URL(url);
  let response: Response;
  try {
    response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch {
    throw new NotAnswered(`${host} is not reachable`);
  }
  if (!response.ok) throw new NotAnswered(`${host} answered ${response.status}`);
  const answer = schema.safeParse(await response.json().catch(() => undefined));
  if (!answer.success) throw new NotAnswered(`${host} gave an answer that is not in the expected format`);
  return answer.data;
};

interface Question {
  readonly about: LockedPackage;
  readonly pageToken?: string;
}

const questionBody = ({ about, pageToken }: Question) => ({
  package: { ecosystem: 'npm', name: about.name },
  version: about.version,
  ...(pageToken === undefined ? {} : { page_token: pageToken }),
});

/**
 * Yields the ids of the advisories of each package. A query with more pages is sent again with the token of the page.
 */
async function* idsOf(base: string, packages: readonly LockedPackage[]): AsyncGenerator<[LockedPackage, string]> {
  let questions: Question[] = packages.map((about) => ({ about }));
  for (let page = 1; questions.length > 0; page += 1) {
    if (page > MAX_PAGES) throw new NotAnswered(`${new URL(base).host} returned more than ${MAX_PAGES} pages`);
    const more: Question[] = [];
    for (let from = 0; from < questions.length; from += BATCH) {
      const asked = questions.slice(from, from + BATCH);
      const { results } = await ask(`${base}/v1/querybatch`, batchAnswer, { queries: asked.map(questionBody) });
      // Answers come in the order of the queries; with too few answers a package would not be checked.
      if (results.length !== asked.length) throw new NotAnswered(`${new URL(base).host} did not answer every query`);
      for (const [index, { about }] of asked.entries()) {
        const result = results[index];
        for (const { id } of result?.vulns ?? []) yield [about, id];
        if (result?.next_page_token) more.push({ about, pageToken: result.next_page_token });
      }
    }
    questions = more;
  }
}

const fetchAdvisories = async (base: string, ids: readonly string[]): Promise<Map<string, Advisory>> => {
  const found = new Map<string, Advisory>();
  const waiting = [...ids];
  const take = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      found.set(id, await ask(`${base}/v1/vulns/${encodeURIComponent(id)}`, advisory));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return found;
};

/**
 * A malicious package has no severity and counts as critical. Any other advisory without severity counts as unknown.
 */
const severityOfAdvisory = ({ id, database_specific }: Advisory) =>
  id.startsWith('MAL-') ? 'critical' : severityOf(database_specific?.severity);

/**
 * Asks OSV (https://osv.dev), which needs neither account nor registry. Withdrawn advisories and aliases are left out.
 */
export const askOsv = async (base: string, packages: readonly LockedPackage[]): Promise<Finding[]> => {
  const pairs: [LockedPackage, string][] = [];
  for await (const pair of idsOf(base, packages)) pairs.push(pair);
  const advisories = await fetchAdvisories(base, [...new Set(pairs.map(([, id]) => id))]);
  const findings = new Map<string, Finding>();
  for (const [about, asked] of pairs) {
    const one = advisories.get(asked);
    if (one === undefined || (one.withdrawn ?? '') !== '') continue;
    const { id, aliases } = one;
    findings.set(`${id} ${about.name}@${about.version}`, {
      ...{ id, aliases: aliases ?? [], package: about.name, version: about.version, dev: about.dev },
      severity: severityOfAdvisory(one),
      title: one.summary ?? one.details?.split('\n')[0]?.slice(0, 200) ?? 'no summary',
      url: `https://osv.dev/vulnerability/${id}`,
    });
  }
  const isAlias = (one: Finding): boolean =>
    !one.id.startsWith('GHSA-') && one.aliases.some((alias) => findings.has(`${alias} ${one.package}@${one.version}`));
  return [...findings.values()].filter((one) => !isAlias(one));
};
