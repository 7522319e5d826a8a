import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type MissingOnChannel } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { shortPageUrl } from '../../debts/use-cases/page-code.ts';
import { type CheckedTemplate, MessagingError } from '../../messaging/ports/messaging-channel.ts';
import { CONNECTED_SENDERS } from '../../messaging/queries/channel-senders.ts';
import { STORED_TEMPLATES } from '../../messaging/queries/channel-templates.ts';
import { type ShownTemplateState, shownTemplateState } from '../../messaging/rules/template-states.ts';
import { fitsShortTexts } from '../../messaging/texts/short.ts';
import type { factsOf } from '../../messaging/use-cases/debt-facts.ts';
import { approvingOf, LAUNCH_TEMPLATES, REMINDER_TEMPLATES } from '../../messaging/use-cases/product-templates.ts';
import { type RealSender, realSendersOf } from '../../messaging/use-cases/senders-of.ts';

/** A launch waits for a channel only for so long; then what it said before counts. */
const MAX_WAIT_MS = 4_000;
/** All short addresses are equally long. */
const ANY_PAGE = { kind: 'debt', id: '00000000-0000-4000-8000-000000000000' } as const;

type Creditor = ReturnType<typeof factsOf>['creditor'];
type ReadinessDeps = Pick<CollectionDeps, 'db' | 'now' | 'sendersOf' | 'publicUrl'>;

export interface ChannelReadiness {
  readonly channel: RealChannel;
  /** Empty when the channel is ready. */
  readonly missing: readonly MissingOnChannel[];
}

/** Finds out what the connected channels lack. It may call a channel, so it runs outside of a transaction. */
export async function readChannelReadiness(
  deps: ReadinessDeps,
  clientId: string,
  {
    channels,
    reminds,
    creditor,
  }: {
    readonly channels: readonly RealChannel[] | null;
    /** The campaign reminds before the due date, which has templates of its own. */
    readonly reminds: boolean;
    readonly creditor: Creditor;
  },
): Promise<readonly ChannelReadiness[]> {
  const senders = await deps.db.tenant(clientId).transactional((tx) => realSendersOf(tx, deps, clientId));
  const used = senders.filter(({ name }) => channels === null || channels.includes(name));
  const rows = await deps.db.readPrepared({ clientId }, CONNECTED_SENDERS, { clientId });
  return Promise.all(
    used.map(async (sender) => {
      const channel = sender.name;
      const row = rows.find((one) => one.channel === channel && one.senderId === sender.id);
      const isFailing = row?.state === 'failing';
      const missing = [
        ...(isFailing ? [{ channel, template: null, reason: withDetails('failing', row.reason) }] : []),
        ...roomFor(deps, sender, creditor),
        ...(await missingTemplates(deps, clientId, sender, reminds)),
      ];
      return { channel, missing };
    }),
  );
}

/**
 * Returns what keeps a launch from its channels, and nothing when it may start. A campaign that names its channels needs
 * each of them; any other needs one. Templates that are not approved refuse both, because each message would be tried
 * there in vain.
 */
export function missingOnChannels(
  channels: readonly RealChannel[] | null,
  readiness: readonly ChannelReadiness[],
): readonly MissingOnChannel[] {
  const absent = (channels ?? []).filter((name) => !readiness.some(({ channel }) => channel === name));
  const notReady = readiness.filter(({ missing }) => missing.length > 0);
  // A client without any channel was refused before, as `creditor_incomplete`.
  const lacksTemplate = notReady.some(({ missing }) => missing.some(({ template }) => template !== null));
  const isAnyReady = !lacksTemplate && (readiness.length === 0 || notReady.length < readiness.length);
  const isReady = channels === null ? isAnyReady : absent.length + notReady.length === 0;
  if (isReady) return [];
  return [
    ...absent.map((channel) => ({ channel, template: null, reason: 'not_connected' })),
    ...notReady.flatMap((one) => one.missing),
  ];
}

/** Throws `channel_not_ready`. */
export function requireReadyChannels(
  channels: readonly RealChannel[] | null,
  readiness: readonly ChannelReadiness[],
): void {
  const missing = missingOnChannels(channels, readiness);
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ channel }) => channel))].join(', ');
  throw new AppError('channel_not_ready', { detail: `Not ready: ${names}. \`missing\` says what is needed.`, missing });
}

const withDetails = (word: string, details: string | null | undefined): string =>
  details == null ? word : `${word} ${details}`;

function roomFor({ publicUrl }: ReadinessDeps, { name, channel }: RealSender, creditor: Creditor): MissingOnChannel[] {
  if (channel.capabilities.texts !== 'short') return [];
  const room = fitsShortTexts(creditor, shortPageUrl(publicUrl, ANY_PAGE));
  return room.fits ? [] : [{ channel: name, template: null, reason: withDetails('too_long', String(room.excess)) }];
}

type Shown = Pick<CheckedTemplate, 'name' | 'reason'> & { readonly state: ShownTemplateState };

const shown = ({ name, reason, state, isMarketing }: CheckedTemplate): Shown => ({
  name,
  reason,
  state: state === 'approved' && isMarketing === true ? 'marketing' : state,
});

/** Asks the channel only when it has not said before that all are approved. The API stores nothing of the answer. */
async function missingTemplates(
  { db, now }: ReadinessDeps,
  clientId: string,
  sender: RealSender,
  reminds: boolean,
): Promise<MissingOnChannel[]> {
  const approving = approvingOf(sender);
  if (approving === null) return [];
  const { templates, credentials, accountId } = approving;
  const key = { clientId, channel: sender.name, accountId };
  const rows = await db.readPrepared({ clientId }, STORED_TEMPLATES, key);
  const stored = new Map(rows.map((one) => [one.name, { ...one, state: shownTemplateState(one, now()) }]));
  const needed = reminds ? [...LAUNCH_TEMPLATES, ...REMINDER_TEMPLATES] : LAUNCH_TEMPLATES;
  const open = needed.filter((name) => stored.get(name)?.state !== 'approved');
  if (open.length === 0) return [];
  const known = open.map((name): Shown => stored.get(name) ?? { name, state: 'missing', reason: null });
  const states = (await inTime(templates.states(open, credentials)))?.map(shown) ?? known;
  return states
    .filter(({ state }) => state !== 'approved')
    .map(({ name, state, reason }) => ({ channel: sender.name, template: name, reason: withDetails(state, reason) }));
}

/** Returns null when the channel does not answer in time, or refuses. */
async function inTime<T>(asked: Promise<T>): Promise<T | null> {
  const answer = asked.catch((error: unknown) => {
    if (error instanceof MessagingError) return null;
    throw error;
  });
  const ended = new AbortController();
  const patience = sleep(MAX_WAIT_MS, null, { signal: ended.signal }).catch(() => null);
  try {
    return await Promise.race([answer, patience]);
  } finally {
    ended.abort();
  }
}
