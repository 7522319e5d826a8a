import type { CollectionSignal, WorkflowRequest } from './collection-workflows.ts';

/**
 * How the latest run of a workflow stands:
 * - `running`: it is open, whether or not a worker is behind.
 * - `none`: Temporal knows of no run.
 * - `broken`: somebody or an error has ended it before its work was done.
 * - `ended`: it has ended by itself. A collection then has the status in which its debt ended.
 */
export type RunState =
  | { readonly kind: 'running' | 'none' | 'broken' }
  | { readonly kind: 'ended'; readonly debtStatus: string | null };

/** A signal to a run: of a debt, an agreement or a campaign, or that a webhook has something to post. */
export type RunSignal = CollectionSignal | 'deliveriesDue';

/** What Temporal knows of workflows. No question to it is billed. */
export interface WorkflowRuns {
  latest(workflowId: string): Promise<RunState>;
  /** Returns the latest run that has ended by itself, also when a later one is running, or null. */
  lastEnded(workflowId: string): Promise<{ readonly debtStatus: string | null } | null>;
  /** Signals the workflow of the request, and starts it when it does not run. */
  startOrSignal(request: WorkflowRequest, signal: RunSignal): Promise<void>;
  /** Starts the workflow of the request, unless a run of it is open or has ended by itself. */
  start(request: WorkflowRequest): Promise<void>;
  /** Signals the workflow if it runs. */
  signal(workflowId: string, signal: RunSignal): Promise<void>;
}
