import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Finding } from './finding.ts';

const MAX_DAYS = 180;
const DAY_MS = 86_400_000;

const entry = z.strictObject({
  /** The id of the advisory, or one of its aliases. */
  id: z.string().min(1),
  package: z.string().min(1),
  /** A sentence that says why the advisory does not affect this product. */
  reason: z.string().min(20),
  expires: z.iso.date(),
});
export type Accepted = z.infer<typeof entry>;

/** An invalid entry is an error, because a misread entry could accept another advisory than intended. */
export const readAccepted = (file: string, today: Date): Accepted[] => {
  const list = z.array(entry).parse(JSON.parse(readFileSync(file, 'utf8')));
  const latest = today.getTime() + MAX_DAYS * DAY_MS;
  const tooLong = list.find(({ expires }) => Date.parse(expires) > latest);
  if (tooLong !== undefined) throw new Error(`${tooLong.id} is accepted for more than ${MAX_DAYS} days`);
  return list;
};

/** An entry is valid until the end of its `expires` day. */
const hasExpired = ({ expires }: Accepted, today: Date): boolean => today.getTime() >= Date.parse(expires) + DAY_MS;

const isAbout = (one: Accepted, finding: Finding): boolean =>
  one.package === finding.package && (one.id === finding.id || finding.aliases.includes(one.id));

export interface Judgement {
  readonly refused: readonly Finding[];
  readonly accepted: readonly (readonly [Finding, Accepted])[];
  readonly expired: readonly Accepted[];
  /** Entries that match no finding, which can be removed from the list. */
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
