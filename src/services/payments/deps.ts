import type { Database } from '../../db/database.ts';
import type { CollectionWorkflows } from '../../ports/collection-workflows.ts';
import type { PaymentCredentials, PaymentProvider } from '../../ports/payment-provider.ts';
import type { SandboxBank } from '../../ports/sandbox-bank.ts';
import type { WebhookVerifier } from '../../ports/webhook-verifier.ts';
import type { ReceiptLinks } from '../shared/receipt-links.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** The provider account that receives the money of a client's charges, either in the sandbox or in real payments. */
export interface PaymentAccount {
  readonly provider: PaymentProvider;
  /** Null for the sandbox, which needs no credentials, and for a client that has connected no account. */
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
  /** The deployment's own secrets. Any of them may have signed a notification. */
  readonly webhookSecrets: readonly string[];
  readonly credentials: ClientCredentials;
  /** Simulates the debtors' bank. */
  readonly bank: SandboxBank;
}
