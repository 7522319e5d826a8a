import type { PaymentProviderName, RealProviderName } from '../../../kernel/payment-providers.ts';
import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ReceiptLinks } from '../../messaging/use-cases/receipt-links.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';
import type { CertificateReader } from '../ports/certificate-reader.ts';
import type { PaymentCredentials, PaymentProvider } from '../ports/payment-provider.ts';
import type { SandboxBank } from '../ports/sandbox-bank.ts';
import type { WebhookVerifier } from '../ports/webhook-verifier.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** The provider account that receives the money of a client's charges, either in the sandbox or in real payments. */
export interface PaymentAccount {
  readonly provider: PaymentProvider;
  /**
   * The provider's id of the client's account; null for the sandbox, for the account of the deployment's configuration,
   * and for a client that has connected no account.
   */
  readonly accountId: string | null;
  /** Null for the sandbox, which needs no credentials, and for a client that has connected no account. */
  readonly credentials: PaymentCredentials | null;
}

/** Where a charge was made. */
export interface ChargeOrigin {
  readonly clientId: string;
  readonly provider: PaymentProviderName;
  readonly accountId: string | null;
}

export interface ReceiptsOfPayments {
  readonly revoke: (tx: Tx, chargeId: string, reason: RevokedReason, at: Date) => Promise<unknown>;
  readonly restore: (tx: Tx, chargeId: string, at: Date) => Promise<unknown>;
  readonly restate: (
    tx: Tx,
    of: { readonly debtId: string } | { readonly agreementId: string },
    at: Date,
  ) => Promise<unknown>;
}

export interface PaymentDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly workflows: CollectionWorkflows;
  readonly policy: Policy;
  readonly publicUrl: string;
  readonly receiptLinks: ReceiptLinks;
  readonly sandboxOnly: boolean;
  /** Returns the account at which new charges are made. It is read in `tx` where the caller has a transaction. */
  readonly accountFor: (
    owner: { readonly clientId: string; readonly sandbox: boolean },
    tx?: Tx,
  ) => Promise<PaymentAccount>;
  /** Returns the account that made a charge, which may have been replaced since. */
  readonly accountOf: (charge: ChargeOrigin) => Promise<PaymentAccount>;
  readonly verifyWebhook: WebhookVerifier;
  /** The deployment's own secrets. Any of them may have signed a notification. */
  readonly webhookSecrets: readonly string[];
  /** What a payment that goes back, or comes again, does to the receipt of its charge. */
  readonly receipts: ReceiptsOfPayments;
  readonly credentials: ClientCredentials;
  readonly providers: Readonly<Record<RealProviderName, PaymentProvider>>;
  /** Where clients may connect accounts; empty on a deployment of the sandbox alone. */
  readonly offeredProviders: readonly RealProviderName[];
  readonly readCertificate: CertificateReader;
  /** Simulates the debtors' bank. */
  readonly bank: SandboxBank;
}
