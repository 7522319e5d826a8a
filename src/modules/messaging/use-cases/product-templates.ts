import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { SharedDeps } from '../../deps.ts';
import {
  type ChannelCredentials,
  type ChannelTemplates,
  type CheckedTemplate,
  MessagingError,
  type TemplateText,
} from '../ports/messaging-channel.ts';
import { CONNECTED_SENDERS } from '../queries/channel-senders.ts';
import { storeTemplates } from '../queries/channel-templates.ts';
import { LAUNCH_TEXTS, PIX_TEMPLATE_TEXTS, REMINDER_TEXTS, TEMPLATE_TEXTS } from '../texts/templates.ts';
import { CHANNEL_TEST_TEMPLATE } from '../texts/trial-message.ts';
import type { MessagingDeps } from './deps.ts';
import { followCategories, type NamedNews } from './follow-category.ts';
import { type RealSender, sendersForOperator } from './senders-of.ts';

/** What a launch needs. */
export const LAUNCH_TEMPLATES: readonly string[] = LAUNCH_TEXTS.map(({ name }) => name);
/** What the launch of a campaign with reminders needs besides. */
export const REMINDER_TEMPLATES: readonly string[] = REMINDER_TEXTS.map(({ name }) => name);

const ALL_TEMPLATES: readonly TemplateText[] = [...TEMPLATE_TEXTS, CHANNEL_TEST_TEMPLATE];
const WITH_PIX: readonly TemplateText[] = [...ALL_TEMPLATES, ...PIX_TEMPLATE_TEXTS];

/** Returns the templates of a sender. Those that copy a Pix code are refused by an account that may send no codes. */
export async function templatesOfSender(
  { db }: Pick<SharedDeps, 'db'>,
  clientId: string,
  { name, id }: Pick<RealSender, 'name' | 'id'>,
): Promise<readonly TemplateText[]> {
  const rows = await db.readPrepared({ clientId }, CONNECTED_SENDERS, { clientId });
  const row = rows.find(({ channel, senderId }) => channel === name && senderId === id);
  return row?.pixCodes === true ? WITH_PIX : ALL_TEMPLATES;
}

export interface TemplatesOfSender {
  readonly channel: RealChannel;
  readonly templates: readonly CheckedTemplate[];
  /** Which of them the channel refused to create, with its codes; null when it refused none. */
  readonly refused: string | null;
}

/** A sender whose channel approves templates before they are sent, in an account of the client. */
interface Approving {
  readonly sender: RealSender;
  readonly templates: ChannelTemplates;
  readonly credentials: ChannelCredentials;
  readonly accountId: string;
}

export function approvingOf(sender: RealSender): Approving | null {
  const { channel, credentials } = sender;
  if (channel.templates === undefined || credentials === null || credentials.accountId === null) return null;
  return { sender, templates: channel.templates, credentials, accountId: credentials.accountId };
}

/** Asks the channel about the product's templates and stores what it says. */
export async function refreshTemplates(
  deps: Pick<SharedDeps, 'db' | 'now'>,
  clientId: string,
  { sender, templates, credentials, accountId }: Approving,
): Promise<readonly CheckedTemplate[]> {
  const texts = await templatesOfSender(deps, clientId, sender);
  const states = await templates.states(
    texts.map(({ name }) => name),
    credentials,
  );
  const account = { channel: sender.name, accountId };
  const at = new Date(deps.now().getTime() - ANSWERED_WITHIN_MS);
  const news = states.flatMap(({ name, isMarketing }): NamedNews[] =>
    isMarketing === null ? [] : [{ name, marketing: isMarketing ? 'now' : 'not_yet', from: null, at }],
  );
  await deps.db.tenant(clientId).transactional(async (tx) => {
    await storeTemplates(tx, { clientId, ...account }, states);
    await followCategories(tx, deps, account, news);
  });
  return states;
}

/** The channel may move a template while it answers, and its clock may differ from ours: its own news then count. */
const ANSWERED_WITHIN_MS = 5 * 60_000;

/** Creates the product's templates where they are missing, or only asks about them; returns what each channel says. */
export const productTemplates =
  (deps: Pick<SharedDeps, 'db' | 'now'> & Pick<MessagingDeps, 'sendersOf'>) =>
  async (clientId: string, { push }: { readonly push: boolean }): Promise<readonly TemplatesOfSender[]> => {
    const { senders } = await sendersForOperator(deps, clientId);
    const answers: TemplatesOfSender[] = [];
    for (const sender of senders) {
      const approving = approvingOf(sender);
      if (approving === null) continue;
      const refused = push ? await create(approving, await templatesOfSender(deps, clientId, sender)) : null;
      const templates = await refreshTemplates(deps, clientId, approving);
      answers.push({ channel: sender.name, templates, refused });
    }
    return answers;
  };

/** The others are created and asked about although the channel refuses some. */
async function create({ templates, credentials }: Approving, texts: readonly TemplateText[]): Promise<string | null> {
  try {
    await templates.push(texts, credentials);
    return null;
  } catch (error) {
    if (!(error instanceof MessagingError) || error.kind !== 'rejected') throw error;
    return error.message;
  }
}
