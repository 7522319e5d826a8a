import type { Connection } from '../../kernel/launch-needs.ts';
import type { RealChannel } from '../../kernel/messaging-channels.ts';
import type { CredentialCipher } from '../../kernel/ports/credential-cipher.ts';
import type { EventWorkflows } from '../../kernel/ports/event-workflows.ts';
import type { WorkflowRuns } from '../../kernel/ports/workflow-runs.ts';
import type { Tx } from '../../platform/database/tx.ts';
import type { CollectionAgent, WordingGuard } from '../messaging/ports/collection-agent.ts';
import type { ChannelCredentials, MessagingChannel } from '../messaging/ports/messaging-channel.ts';
import type { MessagingDeps } from '../messaging/use-cases/deps.ts';
import type { PaymentDeps } from '../payments/use-cases/deps.ts';

/** What reading a debtor's files, and marking messages as read, needs of their channels. */
export interface FileDeps {
  readonly channelOf: (name: string) => MessagingChannel | undefined;
  /** Returns the credentials of a sender that is connected, or was, or null. */
  readonly credentialsOf: (
    clientId: string,
    channel: RealChannel,
    senderId: string,
  ) => Promise<ChannelCredentials | null>;
  readonly cipher: CredentialCipher;
}

export interface CollectionDeps extends MessagingDeps {
  readonly agent: CollectionAgent;
  readonly wordingGuard: WordingGuard;
  readonly payments: PaymentDeps;
  /** The channels of the deployment that reach real people, in the order in which they are tried. */
  readonly usedChannels: readonly RealChannel[];
  /** How many first contacts are planned for each second after an opening, over all campaigns. */
  readonly contactsPerSecond: number;
  readonly files: FileDeps;
  /** Lists what a client still has to connect before real people can be contacted and can pay. */
  readonly missingConnections: (tx: Tx, clientId: string) => Promise<readonly Connection[]>;
}

export interface RunsDeps extends CollectionDeps {
  readonly runs: WorkflowRuns;
  /** The workflows of webhooks, which are looked for with those of debts. */
  readonly events: { readonly workflows: Pick<EventWorkflows, 'deliver'> };
}

/** Tells that long work goes on, and waits for that many milliseconds. It fails when the worker stops. */
export type Pause = (ms: number) => Promise<void>;
