import type { CredentialCipher } from '../../ports/credential-cipher.ts';
import type { EventWorkflows } from '../../ports/event-workflows.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import type { SharedDeps } from '../shared/deps.ts';

export interface EventDeps extends Pick<SharedDeps, 'db' | 'now' | 'cursors'> {
  /** Real time in milliseconds, whatever `CLOCK_OFFSET` is: receivers compare signatures with their own clock. */
  readonly realNow: () => number;
  readonly sender: WebhookSender;
  readonly cipher: CredentialCipher;
  readonly workflows: EventWorkflows;
}
