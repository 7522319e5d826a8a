import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Accepted, type Judgement, judge, readAccepted } from './accepted.ts';
import { type Finding, type LockedPackage, NotAnswered, SEVERITIES } from './finding.ts';
import { lockedPackages } from './lock.ts';
import { askRegistry } from './npm-audit.ts';
import { askOsv } from './osv.ts';

export const FOUND = 1;
export const WRONG_LIST = 2;
export const NOT_DONE = 3;

export interface AuditOptions {
  /** The folder of the package-lock.json that is checked. */
  readonly folder: string;
  readonly acceptedFile: string;
  readonly osvUrl: string;
  readonly npm: string | undefined;
  readonly today: Date;
}

export interface Audit {
  readonly code: number;
  readonly lines: readonly string[];
  /** The last line: the result, or the reason why the audit failed. */
  readonly summary: string;
}

/** Asks the configured registry and then OSV, until one of them answers. */
const ask = async (
  { folder, npm, osvUrl }: AuditOptions,
  packages: readonly LockedPackage[],
): Promise<{ who: string; findings: Finding[] } | string[]> => {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  const versionAt = (path: string): string => lock.packages[path]?.version ?? 'unknown';
  const sources = [
    { who: 'the registry', findAdvisories: () => askRegistry({ folder, npm, packages, versionAt }) },
    { who: 'OSV', findAdvisories: () => askOsv(osvUrl, packages) },
  ];
  const failures: string[] = [];
  for (const { who, findAdvisories } of sources) {
    try {
      return { who, findings: await findAdvisories() };
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error;
      failures.push(error.message);
    }
  }
  return failures;
};

const linesOf = ({ refused, accepted, expired, unused }: Judgement): string[] => {
  const worstFirst = refused.toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
  return [
    ...worstFirst.map(({ severity, package: name, version, dev, id, title, url }) =>
      [severity.padEnd(8), `${name}@${version}${dev ? ' (development)' : ''}`, id, title, url].join('  '),
    ),
    ...accepted.map(
      ([{ package: name, version, id }, { reason, expires }]) =>
        `accepted  ${name}@${version}  ${id}  until ${expires}: ${reason}`,
    ),
    ...expired.map(({ id, package: name, expires }) => `expired   ${name}  ${id}  was accepted until ${expires}`),
    ...unused.map(
      ({ id, package: name }) => `unused    ${name}  ${id}  is not found any more: remove it from the list`,
    ),
  ];
};

/** A release is not published without an audit, so the output says how one is made. */
const ELSEWHERE =
  'A release is audited where one of them answers: `npm_config_registry=https://registry.npmjs.org npm run audit` with a registry that has an audit endpoint, or `OSV_URL=URL npm run audit` with a mirror of OSV';

export const audit = async (options: AuditOptions): Promise<Audit> => {
  let list: Accepted[];
  try {
    list = readAccepted(options.acceptedFile, options.today);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { code: WRONG_LIST, lines: [], summary: `The list of accepted advisories is wrong: ${why}` };
  }
  const packages = lockedPackages(join(options.folder, 'package-lock.json'));
  const answer = await ask(options, packages);
  if (Array.isArray(answer)) {
    const why = answer.join(', and ');
    const summary = `The audit could not be done: ${why}; ${packages.length} packages were not looked up. ${ELSEWHERE}`;
    return { code: NOT_DONE, lines: [], summary };
  }
  const judgement = judge(answer.findings, list, options.today);
  const counts = `${judgement.refused.length} advisories, ${judgement.accepted.length} accepted`;
  return {
    code: judgement.refused.length > 0 ? FOUND : 0,
    lines: linesOf(judgement),
    summary: `${packages.length} packages, answered by ${answer.who}: ${counts}`,
  };
};
