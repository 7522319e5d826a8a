import type { Database } from '../../db/database.ts';
import type { Connection } from '../../domain/launch-needs.ts';
import type { CollectionAgent } from '../../ports/collection-agent.ts';
import type { CollectionWorkflows } from '../../ports/collection-workflows.ts';
import type { ChannelCredentials, MessagingChannel } from '../../ports/messaging-channel.ts';
import type { Policy } from '../load-policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import type { ReceiptLinks } from '../receipts/receipt-links.ts';
import type { PersonKeys } from './person-keys.ts';

/** What a client's messages leave by, in one world. */
export interface Sender {
  readonly channel: MessagingChannel;
  readonly credentials: ChannelCredentials | null;
  /** The number that they come from, where it may be shared by several clients. */
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
  /** What a client still has to connect before real people can be contacted and can pay; empty when nothing. */
  readonly missingConnections: (clientId: string) => Promise<readonly Connection[]>;
  readonly publicUrl: string;
  readonly receiptLinks: ReceiptLinks;
  /** No adapter of this deployment reaches real people: every launch is a sandbox launch. */
  readonly sandboxOnly: boolean;
  readonly sandboxMaxWaitMs: number;
  /** Tells operators, in the log; facts hold no personal data. */
  readonly note: (message: string, facts: Readonly<Record<string, string>>) => void;
}
