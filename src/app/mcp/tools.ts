import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ApiCall } from './api.ts';

/** A tool is one call of the API. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether the tool changes something, so that it is offered only with `--allow-writes`. */
  readonly writes: boolean;
  /** Whether the API takes the call from a person alone, and not from an API key. */
  readonly needsPerson: boolean;
  readonly callOf: (input: Record<string, unknown>) => ApiCall;
}

interface ToolFacts<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  readonly writes?: boolean;
  readonly needsPerson?: boolean;
  readonly callOf: (input: z.output<z.ZodObject<Shape>>) => ApiCall;
}

function tool<Shape extends z.ZodRawShape>(facts: ToolFacts<Shape>): Tool {
  const { input, callOf, writes = false, needsPerson = false } = facts;
  return { ...facts, input: z.object(input), writes, needsPerson, callOf: callOf as Tool['callOf'] };
}

const campaignId = z.uuid().describe('The id of the campaign');
const debtId = z.uuid().describe('The id of the debt');
const page = {
  limit: z.int().min(1).max(100).optional().describe('How many items, 50 if not given'),
  cursor: z.string().max(1_000).optional().describe('`nextCursor` of the page before'),
};
const date = z.iso.date();

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_campaigns',
    title: 'Campaigns',
    description: 'Lists the campaigns, the newest first.',
    input: page,
    callOf: (query) => ({ method: 'GET', path: '/api/campaigns', query }),
  }),
  tool({
    name: 'get_campaign',
    title: 'A campaign',
    description: 'Shows one campaign with its status and its settings.',
    input: { campaignId },
    callOf: (input) => ({ method: 'GET', path: `/api/campaigns/${input.campaignId}` }),
  }),
  tool({
    name: 'get_campaign_statistics',
    title: 'Figures of a campaign',
    description: 'Debts by status, amounts in reais, recovery rate, contacts and payments of one campaign.',
    input: { campaignId },
    callOf: (input) => ({ method: 'GET', path: `/api/campaigns/${input.campaignId}/statistics` }),
  }),
  tool({
    name: 'get_dashboard',
    title: 'Figures of all campaigns',
    description: 'The same figures over all live campaigns, with the last 30 days; `sandbox` over the sandbox ones.',
    input: { sandbox: z.boolean().optional() },
    callOf: (query) => ({ method: 'GET', path: '/api/dashboard', query }),
  }),
  tool({
    name: 'rehearse_campaign',
    title: 'Rehearse a draft',
    description:
      'What the first days of a draft would look like (30 without `days`): contacts and reminders by day and hour, who is never contacted and by which rule, example messages and warnings. Nothing is sent or changed.',
    input: { campaignId, days: z.int().min(1).max(90).optional() },
    callOf: ({ campaignId: id, ...query }) => ({ method: 'POST', path: `/api/campaigns/${id}/rehearse`, query }),
  }),
  tool({
    name: 'list_debts',
    title: 'Debts of a campaign',
    description: 'Lists the debts of a campaign in the order of their import, optionally of one status or invoice.',
    input: {
      campaignId,
      status: z.string().max(20).optional().describe('For example IN_COLLECTION, PAID, DISPUTED, ON_HOLD'),
      invoiceId: z.string().max(100).optional(),
      ...page,
    },
    callOf: ({ campaignId: id, ...query }) => ({ method: 'GET', path: `/api/campaigns/${id}/debts`, query }),
  }),
  tool({
    name: 'search_debts',
    title: 'Find debts',
    description:
      'Finds debts over all campaigns by a CPF (its first six digits or more), a CNPJ, a phone (its last eight digits or more), the beginning of an invoice or words of a name, and by status and due date.',
    input: {
      q: z.string().min(1).max(100).optional(),
      campaignId: campaignId.optional(),
      status: z.array(z.string().max(20)).max(20).optional(),
      dueFrom: date.optional(),
      dueTo: date.optional(),
      sandbox: z.boolean().optional(),
      ...page,
    },
    callOf: (body) => ({ method: 'POST', path: '/api/debts/search', body }),
  }),
  tool({
    name: 'get_debt',
    title: 'A debt with its timeline',
    description:
      'Shows one debt with the last 200 entries of what happened: verdicts of the contact policy, messages, payments. `timelineCursor` is for list_timeline.',
    input: { debtId },
    callOf: (input) => ({ method: 'GET', path: `/api/debts/${input.debtId}` }),
  }),
  tool({
    name: 'list_timeline',
    title: 'What happened to a debt before',
    description: 'Goes back in the timeline of a debt, from the newest entry or from a cursor.',
    input: { debtId, ...page },
    callOf: ({ debtId: id, ...query }) => ({ method: 'GET', path: `/api/debts/${id}/timeline`, query }),
  }),
  tool({
    name: 'get_contact_eligibility',
    title: 'May the debtor be contacted now',
    description: 'Asks the contact policy whether the debtor may be contacted now, and from when, without a booking.',
    input: { debtId },
    callOf: (input) => ({ method: 'GET', path: `/api/debts/${input.debtId}/contact-eligibility` }),
  }),
  tool({
    name: 'list_inbox',
    title: 'What waits for the staff',
    description: 'Debts that wait for a decision: disputes, hardship, negotiation, underpayments and others.',
    input: {
      reason: z.string().max(20).optional(),
      state: z.enum(['open', 'snoozed']).optional(),
      ...page,
    },
    callOf: (query) => ({ method: 'GET', path: '/api/inbox', query }),
  }),
  tool({
    name: 'get_policy',
    title: 'The contact rules',
    description: 'The rules of the contact policy with their legal sources, the holidays and the sequence of contacts.',
    input: {},
    callOf: () => ({ method: 'GET', path: '/api/policy' }),
  }),
  tool({
    name: 'launch_campaign',
    title: 'Launch a draft',
    description:
      'Starts to collect every debt of a draft. This cannot be undone. With `sandbox` nothing leaves the machine; without it real people get messages. Rehearse it first.',
    input: { campaignId, sandbox: z.boolean().describe('False contacts real people') },
    writes: true,
    callOf: ({ campaignId: id, sandbox }) => ({
      method: 'POST',
      path: `/api/campaigns/${id}/launch`,
      query: { sandbox },
      idempotencyKey: randomUUID(),
    }),
  }),
  tool({
    name: 'pause_campaign',
    title: 'Pause a campaign',
    description: 'Stops all contacts of a running campaign until it is resumed.',
    input: { campaignId },
    writes: true,
    callOf: (input) => ({ method: 'POST', path: `/api/campaigns/${input.campaignId}/pause` }),
  }),
  tool({
    name: 'resume_campaign',
    title: 'Resume a campaign',
    description: 'Continues a paused campaign.',
    input: { campaignId },
    writes: true,
    callOf: (input) => ({ method: 'POST', path: `/api/campaigns/${input.campaignId}/resume` }),
  }),
  tool({
    name: 'send_message',
    title: 'Write to a debtor',
    description:
      'Sends a message of the staff to the debtor, in Portuguese. The service refuses it where the contact policy does. `confirm` sends a text about which the service has warned.',
    input: { debtId, text: z.string().min(1).max(4_096), confirm: z.boolean().optional() },
    writes: true,
    needsPerson: true,
    callOf: ({ debtId: id, ...body }) => ({
      method: 'POST',
      path: `/api/debts/${id}/messages`,
      body,
      idempotencyKey: randomUUID(),
    }),
  }),
];
