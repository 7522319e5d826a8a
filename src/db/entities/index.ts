import { ApiKey } from './api-key.ts';
import { Attachment } from './attachment.ts';
import { AuditLog } from './audit-log.ts';
import { Campaign } from './campaign.ts';
import { CampaignDay } from './campaign-day.ts';
import { CampaignDueCount } from './campaign-due-count.ts';
import { CampaignStatusCount } from './campaign-status-count.ts';
import { ChannelSender } from './channel-sender.ts';
import { ChannelTemplate } from './channel-template.ts';
import { Charge } from './charge.ts';
import { CheckoutNotice } from './checkout-notice.ts';
import { Client } from './client.ts';
import { ClientCredential } from './client-credential.ts';
import { ClientRules } from './client-rules.ts';
import { ContactLedger } from './contact-ledger.ts';
import { ContactPace } from './contact-pace.ts';
import { Debt } from './debt.ts';
import { DebtEvent } from './debt-event.ts';
import { DebtNote } from './debt-note.ts';
import { DebtPhone } from './debt-phone.ts';
import { DebtorPage } from './debtor-page.ts';
import { EmailConfirmation } from './email-confirmation.ts';
import { Event } from './event.ts';
import { IdempotencyKey } from './idempotency-key.ts';
import { Identity } from './identity.ts';
import { InboxItem } from './inbox-item.ts';
import { LoginLockout } from './login-lockout.ts';
import { LoginSource } from './login-source.ts';
import { Message } from './message.ts';
import { MessageText } from './message-text.ts';
import { Outbox } from './outbox.ts';
import { PasswordReset } from './password-reset.ts';
import { PaymentNotification } from './payment-notification.ts';
import { PersonRequest } from './person-request.ts';
import { PolicyVersion } from './policy-version.ts';
import { RateLimit } from './rate-limit.ts';
import { Receipt } from './receipt.ts';
import { ReceiptDelivery } from './receipt-delivery.ts';
import { Recipient } from './recipient.ts';
import { RefreshToken } from './refresh-token.ts';
import { SandboxAct } from './sandbox-act.ts';
import { SandboxCharge } from './sandbox-charge.ts';
import { SandboxOutbox } from './sandbox-outbox.ts';
import { AccountHour, SenderPace } from './sender-pace.ts';
import { Session } from './session.ts';
import { Suppression } from './suppression.ts';
import { UnmatchedMessage } from './unmatched-message.ts';
import { UnrecordedContact } from './unrecorded-contact.ts';
import { Webhook } from './webhook.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

export const ENTITIES = [
  AccountHour,
  ApiKey,
  Attachment,
  AuditLog,
  Campaign,
  CampaignDay,
  CampaignDueCount,
  CampaignStatusCount,
  ChannelSender,
  ChannelTemplate,
  Charge,
  CheckoutNotice,
  Client,
  ClientCredential,
  ClientRules,
  ContactLedger,
  ContactPace,
  Debt,
  DebtEvent,
  DebtNote,
  DebtPhone,
  DebtorPage,
  EmailConfirmation,
  Event,
  IdempotencyKey,
  Identity,
  InboxItem,
  LoginLockout,
  LoginSource,
  Message,
  MessageText,
  Outbox,
  PasswordReset,
  PaymentNotification,
  PersonRequest,
  PolicyVersion,
  RateLimit,
  Receipt,
  ReceiptDelivery,
  Recipient,
  RefreshToken,
  SandboxAct,
  SandboxCharge,
  SandboxOutbox,
  SenderPace,
  Session,
  Suppression,
  UnmatchedMessage,
  UnrecordedContact,
  Webhook,
  WebhookDelivery,
];
