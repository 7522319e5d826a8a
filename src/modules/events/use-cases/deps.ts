import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';
import type { EventWorkflows } from '../../../kernel/ports/event-workflows.ts';
import type { SharedDeps } from '../../deps.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';

export interface EventDeps extends Pick<SharedDeps, 'db' | 'now' | 'cursors'> {
  /** Real time in milliseconds, whatever `CLOCK_OFFSET` is: receivers compare signatures with their own clock. */
  readonly realNow: () => number;
  readonly sender: WebhookSender;
  readonly cipher: CredentialCipher;
  readonly workflows: EventWorkflows;
}
