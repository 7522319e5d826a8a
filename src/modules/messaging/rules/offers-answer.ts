import type { Instalment } from '../../agreements/rules/instalments.ts';

/** An offer as its text names it. */
export interface OfferInWords {
  readonly number: number;
  readonly totalCentavos: number;
  readonly discountCentavos: number;
  readonly instalments: readonly Instalment[];
  readonly validUntil: string;
}

/** An active agreement as a text names it. */
export interface AgreementInWords {
  readonly protocol: string;
  readonly restCentavos: number;
  /** Of how many instalments. */
  readonly count: number;
  /** The first that is not paid; its amount is what is open of it. Null when all are paid. */
  readonly next: Instalment | null;
  readonly isLate: boolean;
}

/** What was decided about offers in this turn, for its answer. */
export type OffersAnswer =
  | { readonly kind: 'list'; readonly because: 'asked' | 'ended' | 'unclear'; readonly offers: readonly OfferInWords[] }
  /** What comes nearest to a proposed amount or another wish, or is less a month than what was too dear. */
  | {
      readonly kind: 'near';
      readonly to: 'amount' | 'wish' | 'too_dear';
      readonly offers: readonly OfferInWords[];
    }
  /** The stored words of the acceptance, and the first payment of it. */
  | {
      readonly kind: 'accepted';
      readonly protocol: string;
      readonly words: string;
      readonly totalCentavos: number;
      readonly first: Instalment;
    }
  /** There is an agreement already. */
  | { readonly kind: 'agreed' };
