import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Finding } from './finding.ts';

const LONGEST_DAYS = 180;
const DAY_MS = 86_400_000;

const entry = z.strictObject({
  /** Of the advisory, or one of its other names. */
  id: z.string().min(1),
  package: z.string().min(1),
  /** Why it does no harm here: a sentence. */
  reason: z.string().min(20),
  expires: z.iso.date(),
});
export type Accepted = z.infer<typeof entry>;

/** Wrong entries are an error: one that nobody can read would accept what nobody meant. */
export const readAccepted = (file: string, today: Date): Accepted[] => {
  const list = z.array(entry).parse(JSON.parse(readFileSync(file, 'utf8')));
  const latest = today.getTime() + LONGEST_DAYS * DAY_MS;
  const endless = list.find(({ expires }) => Date.parse(expires) > latest);
  if (endless !== undefined) throw new Error(`${endless.id} is accepted for more than ${LONGEST_DAYS} days`);
  return list;
};

/** The day that is named is the last one. */
const hasExpired = ({ expires }: Accepted, today: Date): boolean => today.getTime() >= Date.parse(expires) + DAY_MS;

const isAbout = (one: Accepted, finding: Finding): boolean =>
  one.package === finding.package && (one.id === finding.id || finding.aliases.includes(one.id));

export interface Judgement {
  readonly refused: readonly Finding[];
  readonly accepted: readonly (readonly [Finding, Accepted])[];
  readonly expired: readonly Accepted[];
  /** About nothing that was found: it can be taken off the list. */
  readonly unused: readonly Accepted[];
}

export const judge = (findings: readonly Finding[], list: readonly Accepted[], today: Date): Judgement => {
  const valid = list.filter((one) => !hasExpired(one, today));
  const acceptanceOf = (finding: Finding) => valid.find((one) => isAbout(one, finding));
  return {
    refused: findings.filter((finding) => acceptanceOf(finding) === undefined),
    accepted: findings.flatMap((finding) => {
      const one = acceptanceOf(finding);
      return one === undefined ? [] : [[finding, one] as const];
    }),
    expired: list.filter((one) => hasExpired(one, today)),
    unused: valid.filter((one) => !findings.some((finding) => isAbout(one, finding))),
  };
};
