import type { Database } from '../../db/database.ts';
import type { Connection } from '../../domain/launch-needs.ts';
import type { CollectionAgent } from '../../ports/collection-agent.ts';
import type { CollectionWorkflows } from '../../ports/collection-workflows.ts';
import type { ChannelCredentials, MessagingChannel } from '../../ports/messaging-channel.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import type { Policy } from '../shared/load-policy.ts';
import type { PersonKeys } from '../shared/person-keys.ts';
import type { ReceiptLinks } from '../shared/receipt-links.ts';

/** The channel and credentials by which a client's messages are sent, either in the sandbox or to real people. */
export interface Sender {
  readonly channel: MessagingChannel;
  readonly credentials: ChannelCredentials | null;
  /** The sending number, when several clients may share it. */
  readonly number: string | null;
}

export interface CollectionDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly policy: Policy;
  readonly agent: CollectionAgent;
  readonly workflows: CollectionWorkflows;
  readonly personKeys: PersonKeys;
  readonly payments: PaymentDeps;
  readonly senderOf: (debt: { readonly clientId: string; readonly sandbox: boolean }) => Promise<Sender>;
  /** Lists what a client still has to connect before real people can be contacted and can pay. */
  readonly missingConnections: (clientId: string) => Promise<readonly Connection[]>;
  readonly publicUrl: string;
  readonly receiptLinks: ReceiptLinks;
  /** True when no adapter of this deployment reaches real people, so that every launch is a sandbox launch. */
  readonly sandboxOnly: boolean;
  readonly sandboxMaxWaitMs: number;
  /** Writes to the log for operators. The facts contain no personal data. */
  readonly note: (message: string, facts: Readonly<Record<string, string>>) => void;
}
