import type { Campaign, ChangeCampaignSettingsBody } from '../../api/client.ts';
import { timeOfField } from '../../time-field.ts';
import type { Step } from './sequence.ts';

export type RealChannel = NonNullable<Campaign['channels']>[number];

export const CHANNELS: readonly RealChannel[] = ['whatsapp', 'twilio', 'zenvia', 'email'];

/** The same channels, with the one at this place before its neighbour. */
export const withEarlier = (channels: readonly RealChannel[], place: number): readonly RealChannel[] =>
  channels.map((channel, at) => channels[at === place ? at - 1 : at === place - 1 ? place : at] ?? channel);

export interface SettingsDraft {
  readonly name: string;
  readonly sender: string;
  readonly from: string;
  readonly to: string;
  /** In the order in which they are tried. */
  readonly channels: readonly RealChannel[];
  /** The days before the due date on which people are reminded. */
  readonly daysBefore: readonly number[];
  /** Null for the product's sequence. */
  readonly sequence: readonly Step[] | null;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The members that the form has changed. An empty field returns to the default. */
export function settingsChanges(campaign: Campaign, draft: SettingsDraft): ChangeCampaignSettingsBody {
  const { name, sender, from, to, channels, daysBefore, sequence } = draft;
  const hadHours = [timeOfField(campaign.hours?.from), timeOfField(campaign.hours?.to)];
  return {
    ...(name !== campaign.name && { name }),
    ...(sender !== (campaign.sender ?? '') && { sender: sender === '' ? null : sender }),
    ...(!isSame([from, to], hadHours) && { hours: from === '' && to === '' ? null : { from, to } }),
    ...(!isSame(channels, campaign.channels ?? []) && {
      channels: channels.length === 0 ? null : [...channels],
    }),
    ...(!isSame(daysBefore, campaign.reminders?.daysBefore ?? []) && {
      reminders: daysBefore.length === 0 ? null : { daysBefore: [...daysBefore] },
    }),
    ...(!isSame(sequence, campaign.sequence) && { sequence: sequence === null ? null : [...sequence] }),
  };
}
