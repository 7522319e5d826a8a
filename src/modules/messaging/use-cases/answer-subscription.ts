import { AppError } from '../../../kernel/errors.ts';

type Query = Readonly<Record<string, string | undefined>>;

export interface SubscriptionDeps {
  /** Answers the question by which WhatsApp checks a webhook address; null on a deployment that does not use it. */
  readonly challengeOf: ((query: Query) => string | null) | null;
}

/** Throws `signature_invalid` when the question does not bring the token that the operator has entered at WhatsApp. */
export const answerSubscription =
  ({ challengeOf }: SubscriptionDeps) =>
  (query: Query): string => {
    const challenge = challengeOf?.(query) ?? null;
    if (challenge === null) throw new AppError('signature_invalid');
    return challenge;
  };
