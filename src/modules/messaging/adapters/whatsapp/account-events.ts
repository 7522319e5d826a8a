import { z } from 'zod';
import type { ChannelEvent } from '../../ports/channel-webhook.ts';
import type { SenderQuality } from '../../ports/messaging-channel.ts';
import { momentOf } from './moments.ts';
import { peoplePerDay } from './sender-state.ts';
import { isMarketing, isOurLanguage, reasonOf, stateOfEvent } from './template-state.ts';

const optional = z
  .string()
  .max(2_000)
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

const partnered = z.object({ waba_info: z.object({ waba_id: optional }) });

/** The news that an app was removed comes under the id of the business portfolio, and names the account inside. */
export const accountIn = (value: unknown): string | null => partnered.safeParse(value).data?.waba_info.waba_id ?? null;

/** News about templates, about the numbers of a business account, and about the account itself. */
export function accountEvents(
  field: string,
  { account: entryId, time }: { readonly account: string | null; readonly time: unknown },
  value: unknown,
): readonly ChannelEvent[] {
  const accountId = accountIn(value) ?? entryId;
  if (accountId === null) return [];
  if (field === 'message_template_status_update') return templateEvents(accountId, value, momentOf(time));
  if (field === 'template_category_update') return categoryEvents(accountId, value, momentOf(time));
  if (field === 'phone_number_quality_update') return qualityEvent(accountId, value);
  if (field === 'business_capability_update') return capabilityEvent(accountId, value);
  return field === 'account_update' ? accountEvent(accountId, value) : [];
}

const template = z.object({
  event: z.string().max(64),
  message_template_name: z.string().min(1).max(512),
  message_template_language: z.string().max(20),
  reason: optional,
  rejection_info: z.object({ reason: optional }).nullish().catch(null),
  other_info: z.object({ title: optional }).nullish().catch(null),
  message_template_category: optional,
});

function templateEvents(accountId: string, value: unknown, at: Date | null): ChannelEvent[] {
  const { data } = template.safeParse(value);
  if (data === undefined || !isOurLanguage(data.message_template_language)) return [];
  const { event, message_template_name: name, reason, rejection_info: info, other_info: other } = data;
  const about = { accountId, name };
  const moved = isMarketing(data.message_template_category);
  const state = stateOfEvent(event, other?.title ?? null);
  return [
    ...(state === undefined
      ? []
      : [{ kind: 'template' as const, ...about, state, reason: reasonOf(event, reason, info?.reason ?? null) }]),
    ...(moved === null ? [] : [categoryNow(about, moved, at)]),
  ];
}

const categoryNow = (about: { accountId: string; name: string }, moved: boolean, at: Date | null): ChannelEvent => ({
  kind: 'template_category',
  ...about,
  // A state says nothing of a change that is announced.
  marketing: moved ? 'now' : 'not_yet',
  from: null,
  at,
});

const category = z.object({
  message_template_name: z.string().min(1).max(512),
  message_template_language: z.string().max(20),
  new_category: optional,
  /** Stands only in the announcement of a change; `new_category` is the present one then. */
  correct_category: optional,
  category_update_timestamp: z.unknown().optional(),
});

function categoryEvents(accountId: string, value: unknown, at: Date | null): ChannelEvent[] {
  const { data } = category.safeParse(value);
  if (data === undefined || !isOurLanguage(data.message_template_language)) return [];
  const about = { accountId, name: data.message_template_name };
  const present = isMarketing(data.new_category);
  const announced = isMarketing(data.correct_category);
  if (present !== true && announced === true) {
    const from = momentOf(data.category_update_timestamp);
    return [{ kind: 'template_category', ...about, marketing: 'later', from, at }];
  }
  if (present === null) return [];
  return [{ kind: 'template_category', ...about, marketing: present ? 'now' : 'no', from: null, at }];
}

/** The number stands in these events as people write it, so they tell the account and not the sender's id. */
const senderEvent = (accountId: string, quality: SenderQuality | null, limit: unknown): ChannelEvent => ({
  kind: 'sender',
  senderId: null,
  accountId,
  quality,
  peoplePerDay: peoplePerDay(limit),
});

const quality = z.object({
  event: z.string().max(64),
  current_limit: z.unknown().optional(),
  max_daily_conversations_per_business: z.unknown().optional(),
});
const QUALITY_EVENTS: ReadonlyMap<string, SenderQuality> = new Map([
  ['FLAGGED', 'low'],
  ['UNFLAGGED', 'good'],
]);

function qualityEvent(accountId: string, value: unknown): ChannelEvent[] {
  const { data } = quality.safeParse(value);
  if (data === undefined) return [];
  // Here `current_limit` is how many messages a second the number may send.
  const old = data.event === 'THROUGHPUT_UPGRADE' ? null : data.current_limit;
  const limit = data.max_daily_conversations_per_business ?? old;
  return [senderEvent(accountId, QUALITY_EVENTS.get(data.event) ?? null, limit)];
}

const capability = z.object({
  max_daily_conversations_per_business: z.unknown().optional(),
  max_daily_conversation_per_phone: z.unknown().optional(),
});

function capabilityEvent(accountId: string, value: unknown): ChannelEvent[] {
  const { data } = capability.safeParse(value);
  if (data === undefined) return [];
  const limit = data.max_daily_conversations_per_business ?? data.max_daily_conversation_per_phone;
  return limit === undefined ? [] : [senderEvent(accountId, null, limit)];
}

const account = z.object({
  event: z.string().max(64),
  ban_info: z.object({ waba_ban_state: optional }).nullish().catch(null),
  restriction_info: z
    .array(z.object({ restriction_type: optional }))
    .nullish()
    .catch(null),
});
const MESSAGING_RESTRICTIONS = ['RESTRICTED_BIZ_INITIATED_MESSAGING', 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING'];
const BAN_STATES: ReadonlyMap<string, SenderQuality> = new Map([
  ['DISABLE', 'blocked'],
  ['SCHEDULE_FOR_DISABLE', 'low'],
  ['REINSTATE', 'good'],
]);
const ACCOUNT_EVENTS: ReadonlyMap<string, SenderQuality> = new Map([
  ['ACCOUNT_VIOLATION', 'low'],
  ['ACCOUNT_DELETED', 'blocked'],
  ['ACCOUNT_OFFBOARDED', 'blocked'],
  ['PARTNER_APP_UNINSTALLED', 'blocked'],
  ['PARTNER_REMOVED', 'blocked'],
  ['ACCOUNT_RECONNECTED', 'good'],
]);

function accountEvent(accountId: string, value: unknown): ChannelEvent[] {
  const { data } = account.safeParse(value);
  if (data === undefined) return [];
  const restricted = (data.restriction_info ?? []).some(({ restriction_type: type }) =>
    MESSAGING_RESTRICTIONS.includes(type ?? ''),
  );
  const state = restricted
    ? 'blocked'
    : (BAN_STATES.get(data.ban_info?.waba_ban_state ?? '') ?? ACCOUNT_EVENTS.get(data.event));
  return state === undefined ? [] : [senderEvent(accountId, state, null)];
}
