import { createAccountsServices } from '../../modules/accounts/services.ts';
import type { AccountDeps } from '../../modules/accounts/use-cases/deps.ts';
import { createAgreementsServices } from '../../modules/agreements/services.ts';
import { createBureausServices } from '../../modules/bureaus/services.ts';
import type { ReplayRunner } from '../../modules/campaigns/ports/replay-runner.ts';
import type { SpreadsheetReader } from '../../modules/campaigns/ports/spreadsheet-reader.ts';
import { createCampaignsServices } from '../../modules/campaigns/services.ts';
import type { RehearsalDeps } from '../../modules/campaigns/use-cases/rehearse-campaign.ts';
import { requireOpeningsOfCollector } from '../../modules/campaigns/use-cases/require-openings.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { createCollectionServices } from '../../modules/collection/services.ts';
import { createDebtsServices } from '../../modules/debts/services.ts';
import { createEventsServices } from '../../modules/events/services.ts';
import type { EventDeps } from '../../modules/events/use-cases/deps.ts';
import { createEvidenceServices } from '../../modules/evidence/services.ts';
import type { EvidenceKeys } from '../../modules/evidence/use-cases/evidence-keys.ts';
import { createGenuineServices } from '../../modules/genuine/services.ts';
import type { GenuineDeps } from '../../modules/genuine/use-cases/check-content.ts';
import { createMessagingServices, type SenderSetup } from '../../modules/messaging/services.ts';
import type { ChannelEventDeps } from '../../modules/messaging/use-cases/channel-event-deps.ts';
import type { UnsubscribeDeps } from '../../modules/messaging/use-cases/unsubscribe.ts';
import type { SubscriptionDeps } from '../../modules/messaging/use-cases/verify-channel-request.ts';
import { createOperatorsServices } from '../../modules/operators/services.ts';
import type { OperatorDeps } from '../../modules/operators/use-cases/deps.ts';
import { createPaymentsServices } from '../../modules/payments/services.ts';
import { createPolicyServices } from '../../modules/policy/services.ts';
import { createPrivacyServices, type PrivacyDeps } from '../../modules/privacy/services.ts';
import { createReceiptsServices } from '../../modules/receipts/services.ts';
import type { ReceiptDeps } from '../../modules/receipts/use-cases/deps.ts';
import { createRightsServices } from '../../modules/rights/services.ts';
import type { RightsDeps } from '../../modules/rights/use-cases/deps.ts';
import type { SettlementFileReader } from '../../modules/settlement-files/ports/settlement-file-reader.ts';
import { createSettlementFilesServices } from '../../modules/settlement-files/services.ts';
import { createTermsServices } from '../../modules/terms/services.ts';
import { answerOnce } from '../../platform/shared/answer-once.ts';

export interface ApiDeps {
  readonly accounts: AccountDeps;
  readonly operators: OperatorDeps;
  readonly collection: CollectionDeps;
  readonly rehearsing: Pick<RehearsalDeps, 'rehearsals' | 'prices'>;
  readonly replays: ReplayRunner;
  readonly renderer: ReceiptDeps['renderer'];
  readonly channels: ChannelEventDeps & UnsubscribeDeps & SubscriptionDeps;
  readonly senderSetup: SenderSetup;
  readonly spreadsheets: Pick<SpreadsheetReader, 'read'>;
  readonly settlementFiles: SettlementFileReader;
  readonly events: EventDeps;
  readonly genuine: GenuineDeps;
  readonly privacy: PrivacyDeps;
  readonly evidenceKeys: EvidenceKeys;
  readonly rights: Omit<RightsDeps, keyof CollectionDeps | 'renderer'>;
}

/** The use cases that a request of the API may call. Each module says which of its own these are. */
export const createApiServices = ({
  accounts,
  operators,
  collection,
  rehearsing,
  replays,
  renderer,
  channels,
  senderSetup,
  spreadsheets,
  settlementFiles,
  events,
  genuine,
  privacy,
  evidenceKeys,
  rights,
}: ApiDeps) => ({
  answerOnce: answerOnce({ db: accounts.db, cipher: events.cipher }),
  ...createAccountsServices({ ...accounts, requireOpeningsOfCollector: requireOpeningsOfCollector(collection) }),
  ...createAgreementsServices(collection),
  ...createBureausServices(collection),
  ...createCampaignsServices({ ...collection, ...rehearsing, replays }, spreadsheets),
  ...createCollectionServices({ ...collection, ...channels }),
  ...createDebtsServices(collection),
  ...createEventsServices(events),
  ...createEvidenceServices({ ...collection, renderer, evidenceKeys }),
  ...createGenuineServices(genuine),
  ...createMessagingServices({ ...collection, prices: rehearsing.prices }, channels, senderSetup),
  ...createOperatorsServices(operators),
  ...createPaymentsServices({ ...collection.payments, personKeys: collection.personKeys }),
  ...createPolicyServices(collection),
  ...createPrivacyServices(privacy),
  ...createReceiptsServices({ ...collection, renderer }),
  ...createRightsServices({ ...collection, ...rights, renderer }),
  ...createSettlementFilesServices({ ...collection.payments, personKeys: collection.personKeys, settlementFiles }),
  ...createTermsServices(collection),
});

export type ApiServices = ReturnType<typeof createApiServices>;

declare module '../../platform/http/deps.ts' {
  interface Services extends ApiServices {}
}
