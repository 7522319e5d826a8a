import type { Database } from '../../db/database.ts';
import type { CollectionWorkflows } from '../../ports/collection-workflows.ts';
import type { PaymentCredentials, PaymentProvider } from '../../ports/payment-provider.ts';
import type { SandboxBank } from '../../ports/sandbox-bank.ts';
import type { WebhookVerifier } from '../../ports/webhook-verifier.ts';
import type { ReceiptLinks } from '../receipts/receipt-links.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** Where the money of a client's charges goes, in one world. */
export interface PaymentAccount {
  readonly provider: PaymentProvider;
  /** Null for the sandbox, which needs none, and for a client that has connected none. */
  readonly credentials: PaymentCredentials | null;
}

export interface PaymentDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly workflows: CollectionWorkflows;
  readonly publicUrl: string;
  readonly receiptLinks: ReceiptLinks;
  readonly sandboxOnly: boolean;
  readonly accountOf: (owner: { readonly clientId: string; readonly sandbox: boolean }) => Promise<PaymentAccount>;
  readonly verifyWebhook: WebhookVerifier;
  /** The deployment's own; any of them may have signed. */
  readonly webhookSecrets: readonly string[];
  readonly credentials: ClientCredentials;
  /** Plays the debtors' bank. */
  readonly bank: SandboxBank;
}
