import type { CampaignRehearsal } from '../../api/client.ts';

export interface Summary {
  /** People who get at least one message. */
  readonly people: number;
  readonly messages: number;
  /** Reais of all channels; null when the price of a channel that is used is not known. */
  readonly cost: number | null;
}

export function summaryOf({
  people,
  contacts,
  cost,
}: Pick<CampaignRehearsal, 'people' | 'contacts' | 'cost'>): Summary {
  const used = cost.filter(({ messages }) => messages > 0);
  return {
    people: people.contacts.reduce((sum, each) => (each.contacts > 0 ? sum + each.people : sum), 0),
    messages: contacts.reduce((sum, { count }) => sum + count, 0),
    cost: used.some(({ total }) => total === null) ? null : used.reduce((sum, { total }) => sum + (total ?? 0), 0),
  };
}

/** WhatsApp alone changes its prices up to four times a year. */
const OLD_AFTER_MS = 183 * 86_400_000;

/** Whether the prices were looked up so long ago that they should be looked up again. */
export const isOldList = (version: string, now: number): boolean => now - Date.parse(version) > OLD_AFTER_MS;

export interface Lack {
  readonly channel: string;
  readonly template: string | null;
  /** `not_connected`, `failing`, `too_long`, or the state of a template. */
  readonly word: string;
  /** What the channel said of it. */
  readonly detail: string;
}

/** The reason is a word, and after a blank what the channel said. */
export function lackOf({
  channel,
  template,
  reason,
}: Omit<Lack, 'word' | 'detail'> & { readonly reason: string }): Lack {
  const [word = '', ...rest] = reason.split(' ');
  return { channel, template, word, detail: rest.join(' ') };
}
