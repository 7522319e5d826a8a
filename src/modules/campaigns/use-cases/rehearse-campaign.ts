import { DAY } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { missingForLaunch } from '../../../kernel/launch-needs.ts';
import { toReais } from '../../../kernel/money.ts';
import { MAX_SEGMENTS } from '../../../kernel/sms-text.ts';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { newestOffersPolicy } from '../../agreements/queries/offers-policies.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { type CampaignToLaunch, readCampaignToLaunch } from '../../debts/queries/campaign-changes.ts';
import type { MessagingChannelName } from '../../messaging/ports/messaging-channel.ts';
import type { PriceList } from '../../messaging/rules/message-prices.ts';
import type { ContactPurpose } from '../../policy/rules/contact-policy.ts';
import type { VerdictRule } from '../../policy/rules/contact-question.ts';
import type { RehearsalRunner } from '../ports/rehearsal-runner.ts';
import type { RehearsalFrame } from '../rules/rehearsal/rehearsed-debt.ts';
import type { RehearsalSummary } from '../rules/rehearsal/summarize.ts';
import { missingOnChannels } from './channel-readiness.ts';
import { readiness } from './launch-campaign.ts';
import { loadRehearsal } from './load-rehearsal.ts';
import { channelsOfRehearsal, type RehearsalChannel } from './rehearsal-channels.ts';
import { type Cost, costOf, type ObservedAnswers, observeAnswers, segmentsOf } from './rehearsal-cost.ts';
import { composeExamples, type ExampleMessage } from './rehearsal-examples.ts';

/** So many days are rehearsed where a request names none. */
export const REHEARSED_DAYS = 30;
/** So many show a campaign of bills that are due next month. */
export const MAX_REHEARSED_DAYS = 90;

export const REHEARSAL_WARNINGS = [
  'several_debts_of_one_person',
  'prescribed',
  'no_address',
  'templates_missing',
  'channel_not_ready',
  'creditor_incomplete',
  'client_not_verified',
  'email_not_confirmed',
] as const;
type RehearsalWarning = (typeof REHEARSAL_WARNINGS)[number];

export interface RehearsalDeps extends CollectionDeps {
  readonly rehearsals: RehearsalRunner;
  readonly prices: PriceList;
}

interface CostOfChannel extends Cost {
  readonly channel: MessagingChannelName;
}

export interface CampaignRehearsal {
  readonly from: string;
  readonly to: string;
  readonly firstAt: string | null;
  readonly debts: { readonly total: number; readonly contacted: number; readonly later: number };
  /** What is owed of the campaign's debts on the day of the launch, in reais. */
  readonly owed: {
    readonly principal: number;
    readonly fine: number;
    readonly interest: number;
    readonly correction: number;
    readonly total: number;
  };
  /** What could be offered about them by the client's policy of offers, in reais; null without a policy. */
  readonly offered: { readonly debts: number; readonly owed: number; readonly withBestDiscount: number } | null;
  readonly contacts: { date: string; hour: number; count: number; reminders: number }[];
  readonly people: { readonly contacts: { contacts: number; people: number }[]; readonly movedByCap: number };
  readonly never: { rule: VerdictRule; debts: number }[];
  readonly examples: { debtId: string; channel: MessagingChannelName; purpose: ContactPurpose; text: string }[];
  readonly warnings: { code: RehearsalWarning; debts: number }[];
  readonly cost: CostOfChannel[];
  /** What the messages of a test would cost by WhatsApp; null for a launch for real people. */
  readonly onWhatsapp: Cost | null;
  readonly prices: { readonly version: string };
}

/** Shows what the first days of a draft would look like if it were launched now. Nothing is written. */
export const rehearseCampaign =
  (deps: RehearsalDeps) =>
  async (request: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly sandbox: boolean;
    readonly days: number;
  }): Promise<CampaignRehearsal> => {
    const { clientId, campaignId } = request;
    const sandbox = request.sandbox || deps.sandboxOnly;
    const { campaign, channels, offersPolicy } = await deps.db.tenant(clientId).transactional(
      async (tx) => {
        const found = await readCampaignToLaunch(tx, campaignId);
        if (found === undefined) throw new AppError('not_found');
        if (found.status !== 'DRAFT') throw new AppError('campaign_not_draft');
        if (!found.hasDebts) throw new AppError('campaign_empty');
        const owner = { clientId, sandbox, channels: found.channels };
        return {
          campaign: found,
          channels: await channelsOfRehearsal(tx, deps, owner),
          offersPolicy: (await newestOffersPolicy(tx, clientId))?.policy ?? null,
        };
      },
      { readOnly: true },
    );
    const now = deps.now().getTime();
    const frame: RehearsalFrame = {
      clientId,
      from: now,
      to: now + request.days * DAY,
      contactsPerSecond: deps.contactsPerSecond,
      channels: channels.list.length,
      today: statisticsDay(now),
      offersPolicy,
    };
    const source = { clientId, campaignId, sandbox, channels, now, hasOffers: offersPolicy !== null };
    const summary = await deps.rehearsals.run(frame, loadRehearsal(deps, source));
    const examples = await composeExamples(deps, source, channels.list, summary.examples);
    const problems = sandbox ? [] : await problemsOfLaunch(deps, clientId, campaign);
    const answers = await observeAnswers(deps, clientId);
    return view(deps, { frame, channels: channels.list, summary, examples, problems, answers });
  };

/** Returns what a real launch would be refused for. */
async function problemsOfLaunch(
  deps: RehearsalDeps,
  clientId: string,
  campaign: CampaignToLaunch,
): Promise<RehearsalWarning[]> {
  const [connections, channels] = await Promise.all([
    deps.db.tenant(clientId).transactional((tx) => deps.missingConnections(tx, clientId)),
    readiness(deps, clientId, campaign),
  ]);
  const missing = missingOnChannels(campaign.channels, channels);
  const { confirmed: emailConfirmed, verified, cnpj, address } = campaign;
  const needs = missingForLaunch({ emailConfirmed, verified, cnpj, address }, connections);
  const isOf = (need: (typeof needs)[number]) => need !== 'email_confirmation' && need !== 'verification';
  return [
    ...(missing.some(({ template }) => template !== null) ? (['templates_missing'] as const) : []),
    ...(missing.length > 0 ? (['channel_not_ready'] as const) : []),
    ...(needs.some(isOf) ? (['creditor_incomplete'] as const) : []),
    ...(verified ? [] : (['client_not_verified'] as const)),
    ...(emailConfirmed ? [] : (['email_not_confirmed'] as const)),
  ];
}

interface Rehearsed {
  readonly frame: RehearsalFrame;
  readonly channels: readonly RehearsalChannel[];
  readonly summary: RehearsalSummary;
  readonly examples: readonly ExampleMessage[];
  readonly problems: readonly RehearsalWarning[];
  readonly answers: ObservedAnswers;
}

function view(
  { prices }: RehearsalDeps,
  { frame, channels, summary, examples, problems, answers }: Rehearsed,
): CampaignRehearsal {
  const { debts, owed, offered } = summary;
  const messagesOf = (place: number): number => summary.messages[place] ?? 0;
  const found: [RehearsalWarning, number][] = [
    ['several_debts_of_one_person', debts.ofPeopleWithSeveral],
    ['prescribed', debts.prescribed],
    ['no_address', debts.withoutAddress],
    ...problems.map((code): [RehearsalWarning, number] => [code, debts.total]),
  ];
  return {
    from: new Date(frame.from).toISOString(),
    to: new Date(frame.to).toISOString(),
    firstAt: summary.firstAt === null ? null : new Date(summary.firstAt).toISOString(),
    debts: { total: debts.total, contacted: debts.contacted, later: debts.later },
    owed: {
      principal: toReais(owed.principal),
      fine: toReais(owed.fine),
      interest: toReais(owed.interest),
      correction: toReais(owed.correction),
      total: toReais(owed.principal + owed.fine + owed.interest + owed.correction),
    },
    offered:
      offered === null
        ? null
        : {
            debts: offered.debts,
            owed: toReais(offered.owed),
            withBestDiscount: toReais(offered.withBestDiscount),
          },
    contacts: [...summary.contacts],
    people: { contacts: [...summary.people], movedByCap: summary.movedByCap },
    never: [...summary.never],
    examples: examples.map(({ debtId, channel, purpose, text }) => ({ debtId, channel, purpose, text })),
    warnings: found.filter(([, count]) => count > 0).map(([code, count]) => ({ code, debts: count })),
    cost: channels.map(({ channel: { name } }, place) => ({
      channel: name,
      ...costOf(
        prices,
        { channel: name, messages: messagesOf(place), segmentsOfMessage: segmentsOf(examples, name) },
        answers,
      ),
    })),
    onWhatsapp: channels.some(({ channel: { name } }) => name === 'sandbox')
      ? costOf(prices, { channel: 'whatsapp', messages: messagesOf(0), segmentsOfMessage: MAX_SEGMENTS }, answers)
      : null,
    prices: { version: prices.version },
  };
}
