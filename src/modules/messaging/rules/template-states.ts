/** What a channel says about a text that it has to approve before it is sent. */
export const TEMPLATE_STATES = ['approved', 'pending', 'rejected', 'paused', 'missing'] as const;
export type TemplateState = (typeof TEMPLATE_STATES)[number];

/** What is shown of a template: `marketing` is one that is approved as advertising, and that is not sent. */
export const SHOWN_TEMPLATE_STATES = [...TEMPLATE_STATES, 'marketing'] as const;
export type ShownTemplateState = (typeof SHOWN_TEMPLATE_STATES)[number];

export const shownTemplateState = (
  { state, marketingFrom }: { readonly state: TemplateState; readonly marketingFrom: Date | null },
  now: Date,
): ShownTemplateState => (state === 'approved' && marketingFrom !== null && marketingFrom <= now ? 'marketing' : state);

/**
 * What a channel says of the category of a template: it is advertising now, or will be from a moment on, or is none, or
 * is none yet, which says nothing of an announced change. `at` is when the channel says so; null when it does not tell.
 */
export interface CategoryNews {
  readonly marketing: 'now' | 'later' | 'no' | 'not_yet';
  /** Set for `later`. */
  readonly from: Date | null;
  readonly at: Date | null;
}

/** A channel's clock may be ahead of ours by so much. */
const MAX_AHEAD_MS = 5 * 60_000;
/** How long before a change of category a channel announces it, when it names no moment. */
const ANNOUNCED_MS = 24 * 3_600_000;

/** Returns when news of a channel were told: never in the future, because news after them would then be taken for older. */
export const toldAt = ({ at }: CategoryNews, now: Date): Date =>
  at === null || at.getTime() > now.getTime() + MAX_AHEAD_MS ? now : at;

/** Returns from when on the template is advertising, or null when it is none. */
export function marketingFromAfter(before: Date | null, news: CategoryNews, now: Date): Date | null {
  if (news.marketing === 'no') return null;
  if (news.marketing === 'not_yet') return before !== null && before > now ? before : null;
  const told = toldAt(news, now);
  const present = told < now ? told : now;
  const from = news.marketing === 'now' ? present : (news.from ?? new Date(told.getTime() + ANNOUNCED_MS));
  return before !== null && before < from ? before : from;
}
