import { IdempotencyKey } from '../platform/database/tables/idempotency-key.ts';
import { Outbox } from '../platform/database/tables/outbox.ts';
import { RateLimit } from '../platform/database/tables/rate-limit.ts';
import { ApiKey } from './accounts/tables/api-key.ts';
import { AuditLog } from './accounts/tables/audit-log.ts';
import { Client } from './accounts/tables/client.ts';
import { ClientCredential } from './accounts/tables/client-credential.ts';
import { EmailChange } from './accounts/tables/email-change.ts';
import { EmailConfirmation } from './accounts/tables/email-confirmation.ts';
import { Identity } from './accounts/tables/identity.ts';
import { Invitation } from './accounts/tables/invitation.ts';
import { LoginChallenge } from './accounts/tables/login-challenge.ts';
import { LoginLockout } from './accounts/tables/login-lockout.ts';
import { LoginSource } from './accounts/tables/login-source.ts';
import { Member } from './accounts/tables/member.ts';
import { Passkey } from './accounts/tables/passkey.ts';
import { PasskeyChallenge } from './accounts/tables/passkey-challenge.ts';
import { PasswordReset } from './accounts/tables/password-reset.ts';
import { RecoveryCode } from './accounts/tables/recovery-code.ts';
import { RefreshToken } from './accounts/tables/refresh-token.ts';
import { SecondFactor } from './accounts/tables/second-factor.ts';
import { Session } from './accounts/tables/session.ts';
import { Agreement } from './agreements/tables/agreement.ts';
import { AgreementDebt } from './agreements/tables/agreement-debt.ts';
import { Offer } from './agreements/tables/offer.ts';
import { OffersPolicyVersion } from './agreements/tables/offers-policy-version.ts';
import { BureauListing } from './debts/tables/bureau-listing.ts';
import { Campaign } from './debts/tables/campaign.ts';
import { CampaignDay } from './debts/tables/campaign-day.ts';
import { CampaignDueCount } from './debts/tables/campaign-due-count.ts';
import { CampaignStatusCount } from './debts/tables/campaign-status-count.ts';
import { CaseViewer } from './debts/tables/case-viewer.ts';
import { Debt } from './debts/tables/debt.ts';
import { DebtNote } from './debts/tables/debt-note.ts';
import { DebtPhone } from './debts/tables/debt-phone.ts';
import { InboxItem } from './debts/tables/inbox-item.ts';
import { PersonRequest } from './debts/tables/person-request.ts';
import { TimelineEntry } from './debts/tables/timeline-entry.ts';
import { FeedEvent } from './events/tables/feed-event.ts';
import { Webhook } from './events/tables/webhook.ts';
import { WebhookDelivery } from './events/tables/webhook-delivery.ts';
import { EvidenceLine } from './evidence/tables/evidence-line.ts';
import { SentText } from './genuine/tables/sent-text.ts';
import { Attachment } from './messaging/tables/attachment.ts';
import { ChannelSender } from './messaging/tables/channel-sender.ts';
import { ChannelTemplate } from './messaging/tables/channel-template.ts';
import { ContactLedger } from './messaging/tables/contact-ledger.ts';
import { CountedMessage } from './messaging/tables/counted-message.ts';
import { Message } from './messaging/tables/message.ts';
import { MessageText } from './messaging/tables/message-text.ts';
import { PhoneRequest } from './messaging/tables/phone-request.ts';
import { Recipient } from './messaging/tables/recipient.ts';
import { SandboxOutbox } from './messaging/tables/sandbox-outbox.ts';
import { SavedAnswer } from './messaging/tables/saved-answer.ts';
import { AccountHour, SenderPace } from './messaging/tables/sender-pace.ts';
import { Suppression } from './messaging/tables/suppression.ts';
import { UnmatchedMessage } from './messaging/tables/unmatched-message.ts';
import { Operator } from './operators/tables/operator.ts';
import { OperatorAct } from './operators/tables/operator-act.ts';
import { OperatorInvitation } from './operators/tables/operator-invitation.ts';
import { OperatorSession } from './operators/tables/operator-session.ts';
import { BankCall } from './payments/tables/bank-call.ts';
import { Charge } from './payments/tables/charge.ts';
import { CheckoutNotice } from './payments/tables/checkout-notice.ts';
import { DebtorPage } from './payments/tables/debtor-page.ts';
import { PaymentNotification } from './payments/tables/payment-notification.ts';
import { ReceivedPayment } from './payments/tables/received-payment.ts';
import { Refund } from './payments/tables/refund.ts';
import { SandboxAct } from './payments/tables/sandbox-act.ts';
import { SandboxCharge } from './payments/tables/sandbox-charge.ts';
import { ClientRules } from './policy/tables/client-rules.ts';
import { ContactPace } from './policy/tables/contact-pace.ts';
import { PolicyVersion } from './policy/tables/policy-version.ts';
import { UnrecordedContact } from './policy/tables/unrecorded-contact.ts';
import { AnnualQuittance } from './receipts/tables/annual-quittance.ts';
import { Receipt } from './receipts/tables/receipt.ts';
import { ReceiptDelivery } from './receipts/tables/receipt-delivery.ts';
import { RightsFile } from './rights/tables/rights-file.ts';
import { RightsRequest } from './rights/tables/rights-request.ts';
import { IndexValue } from './terms/tables/index-value.ts';
import { LatePaymentTermsVersion } from './terms/tables/late-payment-terms.ts';

export const ENTITIES = [
  AccountHour,
  Agreement,
  AgreementDebt,
  ApiKey,
  Attachment,
  AuditLog,
  BureauListing,
  BankCall,
  Campaign,
  CampaignDay,
  CampaignDueCount,
  CampaignStatusCount,
  CaseViewer,
  ChannelSender,
  ChannelTemplate,
  CountedMessage,
  Charge,
  CheckoutNotice,
  Client,
  ClientCredential,
  ClientRules,
  ContactLedger,
  ContactPace,
  Debt,
  TimelineEntry,
  DebtNote,
  DebtPhone,
  DebtorPage,
  EmailConfirmation,
  EvidenceLine,
  FeedEvent,
  IdempotencyKey,
  Identity,
  InboxItem,
  IndexValue,
  LatePaymentTermsVersion,
  EmailChange,
  Invitation,
  LoginChallenge,
  LoginLockout,
  LoginSource,
  Message,
  MessageText,
  Offer,
  OffersPolicyVersion,
  Operator,
  OperatorAct,
  OperatorInvitation,
  OperatorSession,
  Outbox,
  Member,
  Passkey,
  PasskeyChallenge,
  PasswordReset,
  PaymentNotification,
  PersonRequest,
  PolicyVersion,
  RateLimit,
  AnnualQuittance,
  Receipt,
  ReceiptDelivery,
  ReceivedPayment,
  Recipient,
  RecoveryCode,
  RefreshToken,
  Refund,
  RightsFile,
  RightsRequest,
  SandboxAct,
  SandboxCharge,
  SandboxOutbox,
  SavedAnswer,
  SecondFactor,
  SenderPace,
  SentText,
  Session,
  Suppression,
  UnmatchedMessage,
  PhoneRequest,
  UnrecordedContact,
  Webhook,
  WebhookDelivery,
];
