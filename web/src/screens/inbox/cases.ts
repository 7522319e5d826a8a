import type { InboxItem } from '../../api/client.ts';

export interface Case {
  /** The id of its debt. A debt that waits for several reasons is one case. */
  readonly id: string;
  readonly debt: InboxItem['debt'];
  readonly reasons: readonly Pick<InboxItem, 'reason' | 'since' | 'dueAt'>[];
  readonly since: string;
  readonly lastMessage: InboxItem['lastMessage'];
  readonly snoozedUntil: string | null;
  readonly sandbox: boolean;
  readonly assignee: InboxItem['assignee'];
  /** The other members who have it open. */
  readonly viewing: InboxItem['viewing'];
  readonly personKey: string;
  /** It waits no longer; the row stays in its place until the person goes on. */
  readonly solved: boolean;
}

/** Gathers the items of each debt at the place of its first item. */
export function casesOf(items: readonly InboxItem[]): readonly Case[] {
  const found = new Map<string, Case>();
  for (const { debt, reason, since, dueAt, lastMessage, snoozedUntil, sandbox, ...team } of items) {
    const known = found.get(debt.id);
    const reasons = [...(known?.reasons ?? []), { reason, since, ...(dueAt === undefined ? {} : { dueAt }) }];
    const first = known === undefined || since < known.since ? since : known.since;
    found.set(debt.id, {
      id: debt.id,
      debt,
      reasons,
      since: first,
      lastMessage,
      snoozedUntil,
      sandbox,
      assignee: team.assignee,
      viewing: team.viewing,
      personKey: team.personKey,
      solved: false,
    });
  }
  return [...found.values()];
}

/** The queue as the person sees it, which is not always the newest one. */
export interface Seen {
  /** Which view and reason it shows. */
  readonly filter: string;
  readonly pages: number;
  readonly fresh: readonly Case[];
  readonly cases: readonly Case[];
  /** How many cases wait that are not shown yet. */
  readonly added: number;
}

export const NOTHING_SEEN: Seen = { filter: '', pages: 0, fresh: [], cases: [], added: 0 };

type Answer = Pick<Seen, 'filter' | 'pages' | 'fresh'>;

const withOnlyFresh = ({ filter, pages, fresh }: Answer): Seen => ({ filter, pages, fresh, cases: fresh, added: 0 });

/**
 * Takes a new answer of the server without moving anything under the person's hands: cases keep their places with what is
 * new about them, those that left are marked, and new ones are counted. A page that the person asked for is added at the
 * end.
 */
export function follow(seen: Seen, answer: Answer): Seen {
  const isOther = seen.filter !== answer.filter || seen.cases.every(({ solved }) => solved);
  if (isOther) return withOnlyFresh(answer);
  const fresh = new Map(answer.fresh.map((one) => [one.id, one]));
  const kept = seen.cases.map((one) => fresh.get(one.id) ?? { ...one, solved: true });
  const shown = new Set(kept.map(({ id }) => id));
  const others = answer.fresh.filter(({ id }) => !shown.has(id));
  if (answer.pages > seen.pages) return { ...answer, cases: [...kept, ...others], added: 0 };
  return { ...answer, cases: kept, added: others.length };
}

/** Shows the queue as it is now. */
export const showFresh = (seen: Seen): Seen => withOnlyFresh(seen);

/** Removes the rows about which the person has decided, unless they still wait. After the last one come the new ones. */
export function withoutDecided(seen: Seen, decided: ReadonlySet<string>): Seen {
  const waiting = new Set(seen.fresh.map(({ id }) => id));
  const cases = seen.cases.filter(({ id }) => !decided.has(id) || waiting.has(id));
  return cases.every(({ solved }) => solved) ? withOnlyFresh(seen) : { ...seen, cases };
}

/** The case to go on with after `id`: the one that follows and still waits, else one before it, else a new one. */
export function caseAfter(shown: readonly Case[], fresh: readonly Case[], id: string): Case | undefined {
  const waiting = new Set(fresh.map((one) => one.id));
  const waits = (one: Case): boolean => waiting.has(one.id) && one.id !== id;
  const at = shown.findIndex((one) => one.id === id);
  return shown.slice(at + 1).find(waits) ?? shown.slice(0, Math.max(0, at)).findLast(waits) ?? fresh.find(waits);
}

/** The next or previous row; at an end the same one. */
export function neighbour(cases: readonly Case[], id: string | undefined, step: 1 | -1): Case | undefined {
  const at = cases.findIndex((one) => one.id === id);
  if (at === -1) return step === 1 ? cases[0] : cases.at(-1);
  return cases[Math.min(cases.length - 1, Math.max(0, at + step))];
}

/** The cases of each person, at the place of the first of them. A list that grows page by page completes them. */
export function personsOf(cases: readonly Case[]): readonly (readonly [Case, ...Case[]])[] {
  const found = new Map<string, [Case, ...Case[]]>();
  for (const one of cases) {
    const known = found.get(one.personKey);
    if (known === undefined) found.set(one.personKey, [one]);
    else known.push(one);
  }
  return [...found.values()];
}
