import { SEARCH_ATTRIBUTES } from '../../../workflows/contract.ts';
import type { OutboxPayload } from '../../kernel/ports/outbox-store.ts';

const { clientId, campaignId, debtId, sandbox } = SEARCH_ATTRIBUTES;

type AttributePair =
  | { readonly key: typeof clientId | typeof campaignId | typeof debtId; readonly value: string }
  | { readonly key: typeof sandbox; readonly value: boolean };

/**
 * The search attributes of a new run, from its input, as its campaign's workflow sets them. Attributes that are set at
 * the start are not billed.
 */
export function startAttributes(input: OutboxPayload): AttributePair[] {
  const pairs: AttributePair[] = [];
  for (const field of ['clientId', 'campaignId', 'debtId'] as const) {
    const value = input[field];
    if (typeof value === 'string') pairs.push({ key: SEARCH_ATTRIBUTES[field], value });
  }
  if (typeof input['sandbox'] === 'boolean') pairs.push({ key: sandbox, value: input['sandbox'] });
  return pairs;
}

/** Builds the filter of a batch signal. It throws when it would match every workflow or a value could end the quotes. */
export function batchQuery(workflowType: string, target: OutboxPayload): string {
  const terms = (['clientId', 'campaignId', 'debtId'] as const).flatMap((field) => {
    const value = target[field];
    if (value === undefined) return [];
    if (typeof value !== 'string' || !/^[\w-]+$/.test(value)) throw new RangeError(`${field} is not an id`);
    return [`${SEARCH_ATTRIBUTES[field].name} = '${value}'`];
  });
  if (terms.length === 0) throw new RangeError('a batch signal must name a client, a campaign or a debt');
  return [`WorkflowType = '${workflowType}'`, `ExecutionStatus = 'Running'`, ...terms].join(' AND ');
}
