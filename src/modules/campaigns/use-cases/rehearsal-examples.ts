import type { CollectionDeps } from '../../collection/deps.ts';
import { sequenceOf } from '../../collection/gate/ask-policy.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { type AgentMessage, DUE_REMINDER, type OwnWording, type Turn } from '../../messaging/ports/collection-agent.ts';
import type { MessagingChannelName } from '../../messaging/ports/messaging-channel.ts';
import { ownWording } from '../../messaging/queries/message-texts.ts';
import { textOn } from '../../messaging/use-cases/booked-message.ts';
import { factsOf, readTurns } from '../../messaging/use-cases/debt-facts.ts';
import { nextMove } from '../../policy/rules/collection-sequence.ts';
import type { ContactPurpose } from '../../policy/rules/contact-policy.ts';
import { debtsById } from '../queries/rehearsals.ts';
import type { ExampleContact } from '../rules/rehearsal/summarize.ts';
import { asLaunched } from './load-rehearsal.ts';
import type { RehearsalChannel } from './rehearsal-channels.ts';

/** The links of examples lead to no page, because opening the page of a debt makes its charge. */
const NO_PAGE = '00000000-0000-4000-8000-000000000000';

type ExampleDeps = Pick<CollectionDeps, 'db' | 'agent' | 'now' | 'policy' | 'publicUrl' | 'receiptLinks'>;

export interface ExampleMessage {
  readonly debtId: string;
  readonly channel: MessagingChannelName;
  readonly purpose: ContactPurpose;
  readonly text: string;
  readonly short: string;
}

/** Composes first contacts and reminders as the collection does. Nothing of them is stored. */
export async function composeExamples(
  deps: ExampleDeps,
  { clientId, sandbox, now }: { readonly clientId: string; readonly sandbox: boolean; readonly now: number },
  channels: readonly RehearsalChannel[],
  examples: readonly ExampleContact[],
): Promise<ExampleMessage[]> {
  const ids = [...new Set(examples.flatMap(({ debtId, alsoAbout }) => [debtId, ...alsoAbout]))];
  if (ids.length === 0) return [];
  const known = await deps.db.tenant(clientId).transactional(
    async (tx) => {
      const debts = new Map((await debtsById(tx, ids)).map((debt) => [debt.id, asLaunched(debt, sandbox)]));
      const turns = new Map<string, readonly Turn[]>();
      for (const { debtId } of examples) {
        const debt = debts.get(debtId);
        if (debt !== undefined) turns.set(debtId, await readTurns(tx, debt, debt.debtorPhone));
      }
      const texts = new Map<string, OwnWording | null>();
      for (const { campaignId } of debts.values()) {
        if (!texts.has(campaignId)) texts.set(campaignId, await ownWording(tx, { campaignId, step: 1 }));
      }
      return { debts, turns, texts };
    },
    { readOnly: true },
  );
  const messages = await Promise.all(
    examples.map(async ({ channel: place, purpose, debtId, alsoAbout }): Promise<ExampleMessage[]> => {
      const debt = known.debts.get(debtId);
      const channel = channels[place]?.channel;
      if (debt === undefined || channel === undefined) return [];
      const others = alsoAbout.flatMap((id) => known.debts.get(id) ?? []);
      const turns = known.turns.get(debtId) ?? [];
      const wording = known.texts.get(debt.campaignId) ?? null;
      const message = await compose(deps, { debt, others, now, turns, wording, purpose });
      return [{ debtId, channel: channel.name, purpose, text: textOn(channel, message), short: message.short }];
    }),
  );
  return messages.flat();
}

function compose(
  deps: ExampleDeps,
  {
    debt,
    others,
    turns,
    wording,
    purpose,
    now,
  }: {
    readonly debt: DebtContext;
    readonly others: readonly DebtContext[];
    readonly turns: readonly Turn[];
    readonly wording: OwnWording | null;
    readonly purpose: ContactPurpose;
    readonly now: number;
  },
): Promise<AgentMessage> {
  const move = nextMove(sequenceOf(debt, deps.policy), {
    contactsMade: debt.step,
    anchorAt: now,
    promiseLapsed: false,
  });
  if (move.kind === 'exhausted') throw new Error('the sequence has no first step');
  const mentioned = others.length === 0 ? null : { debts: others, pageId: NO_PAGE };
  const facts = { ...factsOf({ ...debt, id: NO_PAGE }, deps, { others: mentioned, at: now }), debtId: debt.id };
  const step = {
    kind: move.kind,
    tone: move.tone,
    earlierReminders: move.earlierReminders,
    wording: move.step === 1 ? wording : null,
  };
  return deps.agent.compose(purpose === 'reminder' ? DUE_REMINDER : step, facts, turns);
}
