import { randomBytes, randomUUID } from 'node:crypto';
import { DAY } from '../../../kernel/calendar.ts';
import { makeProtocol, PROTOCOL_BYTES } from '../../../kernel/protocol.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { openInboxItem } from '../../debts/queries/inbox-items.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import { DISPUTE_OF_ALL, DISPUTE_OF_ONE } from '../../messaging/rules/page-disputes.ts';
import { storeReceived } from '../../messaging/use-cases/receive-message.ts';
import type { HeldDebt } from '../queries/held-data.ts';
import { insertRequest } from '../queries/rights-requests.ts';
import { DAYS_TO_ANSWER, type Refusal, type RightsKind } from '../rules/rights-request.ts';
import type { RightsDeps } from './deps.ts';

/** What the page says after a form. */
export type Asked =
  | { readonly kind: 'closed' }
  | { readonly kind: 'done'; readonly protocol: string }
  | { readonly kind: 'refused'; readonly because: Refusal };

export const CLOSED: Asked = { kind: 'closed' };
export const refused = (because: Refusal): Asked => ({ kind: 'refused', because });

/** The message that a button of the page sends, which is handled like one that the person typed. */
const MESSAGES = {
  dispute: [DISPUTE_OF_ONE, 'dispute'],
  silence: ['PARAR. Não quero mais receber mensagens.', 'opt_out'],
  not_mine: ['Este contato não é da pessoa procurada.', 'wrong_person'],
} as const satisfies Partial<Record<RightsKind, readonly [text: string, intent: Intent]>>;

interface NewRequest {
  readonly kind: RightsKind;
  readonly text?: string;
  /** What was done at once needs no answer. */
  readonly isDone: boolean;
}

export async function storeRequest(tx: Tx, deps: RightsDeps, debt: HeldDebt, { kind, text = '', isDone }: NewRequest) {
  const now = deps.now();
  const id = randomUUID();
  const protocol = makeProtocol('PD', now.getUTCFullYear(), randomBytes(PROTOCOL_BYTES));
  const dueAt = isDone ? null : new Date(now.getTime() + DAYS_TO_ANSWER * DAY);
  await insertRequest(tx, {
    id,
    clientId: debt.clientId,
    debtId: debt.id,
    kind,
    protocol,
    text,
    createdAt: now,
    dueAt,
    answeredAt: isDone ? now : null,
    outcome: isDone ? 'granted' : null,
  });
  if (dueAt !== null) await openInboxItem(tx, debt.id, 'rights', { exceptIn: [], dueAt });
  return { id, protocol };
}

/**
 * Stores what the page says for the person. The workflow of the debt applies it, and spreads what binds other clients. The
 * protocol stands in it, so that timeline and evidence show what was answered at once. A dispute has the words of the
 * person instead, because its request has a row and an item of its own.
 */
export async function say(
  tx: Tx,
  deps: RightsDeps,
  debt: HeldDebt,
  {
    kind,
    request,
    words = '',
    isAboutAll = false,
  }: {
    readonly kind: keyof typeof MESSAGES;
    readonly request: { readonly id: string; readonly protocol: string };
    readonly words?: string;
    /** The person disputes every debt, and not only the one with which the message is stored. */
    readonly isAboutAll?: boolean;
  },
): Promise<void> {
  const [ofOne, button] = MESSAGES[kind];
  const text = isAboutAll ? DISPUTE_OF_ALL : ofOne;
  const said = kind === 'dispute' ? words : `Pedido ${request.protocol}.`;
  await storeReceived(tx, deps, {
    clientId: debt.clientId,
    debtId: debt.id,
    channel: 'page',
    channelMessageId: `rights:${request.id}:${debt.id}`,
    text: said === '' ? text : `${text} ${said}`,
    button,
  });
}
