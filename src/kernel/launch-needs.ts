/** What a client may still lack before it can contact real people. */
export const LAUNCH_NEEDS = [
  'email_confirmation',
  'verification',
  'cnpj',
  'address',
  'payment_provider',
  'channel',
] as const;
export type LaunchNeed = (typeof LAUNCH_NEEDS)[number];
/** The needs that a client meets by connecting an account of its own. */
export type Connection = Extract<LaunchNeed, 'payment_provider' | 'channel'>;

export interface LaunchingClient {
  readonly emailConfirmed: boolean;
  readonly verified: boolean;
  readonly cnpj: string | null;
  readonly address: object | null;
}

export function missingForLaunch(client: LaunchingClient, connections: readonly Connection[]): LaunchNeed[] {
  const missing: Readonly<Record<LaunchNeed, boolean>> = {
    email_confirmation: !client.emailConfirmed,
    verification: !client.verified,
    cnpj: client.cnpj === null,
    address: client.address === null,
    payment_provider: connections.includes('payment_provider'),
    channel: connections.includes('channel'),
  };
  return LAUNCH_NEEDS.filter((need) => missing[need]);
}
