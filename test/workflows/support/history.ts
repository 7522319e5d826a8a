import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { scrubbed } from '../../../testing/scrub-history.ts';

type Event = proto.temporal.api.history.v1.IHistoryEvent;

export async function eventsOf(client: Client, workflowId: string, runId?: string): Promise<readonly Event[]> {
  return (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? [];
}

export const countEvents = (events: readonly Event[], kind: keyof Event & `${string}EventAttributes`): number =>
  events.filter((event) => event[kind] !== null && event[kind] !== undefined).length;

/**
 * Counts the actions that Temporal Cloud would bill for a run: its start (2 as a child), each timer, each activity,
 * each upsert, each signal from outside.
 */
export const billableActions = (events: readonly Event[]): number =>
  2 +
  countEvents(events, 'timerStartedEventAttributes') +
  countEvents(events, 'activityTaskScheduledEventAttributes') +
  countEvents(events, 'upsertWorkflowSearchAttributesEventAttributes') +
  countEvents(events, 'workflowExecutionSignaledEventAttributes');

/** With RECORD_HISTORIES set, the runs of the tests are saved as histories for the replay tests. */
export async function keepHistory(client: Client, workflowId: string, name: string, runId?: string): Promise<void> {
  if (process.env['RECORD_HISTORIES'] === undefined) return;
  const history = proto.temporal.api.history.v1.History.create({
    events: [...(await eventsOf(client, workflowId, runId))],
  });
  await writeFile(fileURLToPath(new URL(`../../replay/histories/${name}.json`, import.meta.url)), scrubbed(history));
}
