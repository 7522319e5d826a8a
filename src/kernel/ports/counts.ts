/**
 * What is counted for operators. No label has a value of a person, a client or a debt, and each has few values, because
 * every value is a time series of its own.
 */
export interface CountLabels {
  /** `outcome` is that of the sending: `sent`, `failed` or `unknown`. */
  readonly messages_sent: { readonly channel: string; readonly purpose: string; readonly outcome: string };
  readonly messages_received: { readonly channel: string };
  readonly contacts_refused: { readonly rule: string };
  readonly payments: { readonly outcome: string };
  readonly receipts_issued: Readonly<Record<string, never>>;
  readonly debts_moved: { readonly status: string };
  readonly webhook_posts: { readonly outcome: string };
}

export type CountName = keyof CountLabels;

export type Count = {
  [Name in CountName]: { readonly name: Name; readonly labels: CountLabels[Name] };
}[CountName];

export type AddCount = (count: Count) => void;
