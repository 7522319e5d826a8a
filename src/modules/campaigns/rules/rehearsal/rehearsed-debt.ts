import type { LocalDate } from '../../../../kernel/calendar.ts';
import type { OfferableDebt } from '../../../agreements/rules/offered-debts.ts';
import type { OffersPolicy } from '../../../agreements/rules/offers-policy.ts';
import type { CollectionSequence } from '../../../policy/rules/collection-sequence.ts';
import type { LedgerContact } from '../../../policy/rules/contact-ledger.ts';
import type { ContactPurpose } from '../../../policy/rules/contact-policy.ts';
import type { ContactQuestion } from '../../../policy/rules/contact-question.ts';
import type { Channel } from '../../../policy/rules/policy-pack.ts';
import type { Centavos } from '../../../terms/rules/owed-on.ts';

export interface RehearsedPhone {
  readonly phoneKey: string;
  /** What the policy is asked about the debt on this phone. The ledger and the moment come from the rehearsal. */
  readonly question: ContactQuestion;
  /** The places, in the list of channels, of those that reach the debtor, the one that is tried first coming first. */
  readonly channels: readonly number[];
}

export interface RehearsedDebt {
  readonly debtId: string;
  readonly personKey: string;
  /** False for a debt of another running campaign, whose person also has a debt in the rehearsed one. */
  readonly isOwn: boolean;
  readonly score: number;
  /** What is owed on the day of the launch. */
  readonly owed: Centavos;
  /** What decides whether an agreement can be offered; null when the client offers none, or there is nobody to offer it to. */
  readonly offerable: OfferableDebt | null;
  readonly sequence: CollectionSequence;
  /** The steps that are done. */
  readonly step: number;
  readonly nextContactAt: number | null;
  /** The kind of channel whose rules the first contact is planned by: the one that the person prefers, where there is it. */
  readonly plannedBy: Channel;
  readonly lastEventAt: Date | null;
  /** The phone in use and those that may take over from it. */
  readonly phones: readonly [RehearsedPhone, ...RehearsedPhone[]];
}

export interface RehearsalFrame {
  readonly clientId: string;
  readonly from: number;
  readonly to: number;
  readonly contactsPerSecond: number;
  /** The number of channels. */
  readonly channels: number;
  /** The day of the launch, and what the client offers on it; null when it offers nothing. */
  readonly today: LocalDate;
  readonly offersPolicy: OffersPolicy | null;
}

/** All debts of a campaign, the other open debts of their people, and what is booked or reserved for these. */
export interface RehearsalInput extends RehearsalFrame {
  readonly debts: readonly RehearsedDebt[];
  readonly ledger: readonly LedgerContact[];
}

/** One message, which speaks of the asking debt and perhaps of other debts of the person. */
export interface RehearsedContact {
  readonly at: number;
  readonly debtId: string;
  readonly alsoAbout: readonly string[];
  readonly personKey: string;
  readonly channels: readonly number[];
  /** The offset of the debtor's place, in hours ahead of UTC. */
  readonly utcOffset: number;
  readonly purpose: ContactPurpose;
  /** It is the first contact of its purpose about the asking debt. */
  readonly isFirst: boolean;
  /** A cap has moved it to a later moment. */
  readonly movedByCap: boolean;
}
