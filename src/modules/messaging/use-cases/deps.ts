import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import type { DebtorPreference } from '../../policy/rules/campaign-settings.ts';
import type { Channel } from '../../policy/rules/policy-pack.ts';
import type { ChannelCredentials, MessagingChannel } from '../ports/messaging-channel.ts';

/** The channel and credentials by which a client's messages are sent, either in the sandbox or to real people. */
export interface Sender {
  readonly channel: MessagingChannel;
  readonly credentials: ChannelCredentials | null;
  /** The sender as the channel names it in what it posts; null in the sandbox. */
  readonly id: string | null;
  /** The sending number, when several clients may share it. */
  readonly number: string | null;
}

/** For whom a message is sent. */
export interface SendingFor {
  readonly clientId: string;
  readonly sandbox: boolean;
  /** The campaign's own order of channels; null for the order of the deployment. */
  readonly channels: readonly RealChannel[] | null;
}

export interface MessagingDeps extends SharedDeps {
  /** Returns the senders that the client has connected, in the order in which they are tried. */
  readonly sendersOf: (tx: Tx, owner: SendingFor) => Promise<readonly Sender[]>;
}

/** The numbers by which an opt-out that another client received binds this one. */
export const numbersOf = (senders: readonly Sender[]): string[] =>
  senders.flatMap(({ number }) => (number === null ? [] : [number]));

interface Addressed {
  readonly debtorEmail: string | null;
}

/** Whether the debt has an address on the channel: each one has a phone, and not each an e-mail address. */
export const hasAddressOn = (
  { capabilities }: Pick<MessagingChannel, 'capabilities'>,
  { debtorEmail }: Addressed,
): boolean => capabilities.reaches === 'phone' || debtorEmail !== null;

interface Preferring extends Addressed {
  readonly preference: DebtorPreference | null;
}

/**
 * Returns the senders of the channel by which the person wants to be written to. Where none of it has an address for the
 * debt it returns all, because a wish is kept by the contact policy and ends no debt.
 */
export function wantedSenders<Given extends { readonly channel: Pick<MessagingChannel, 'capabilities'> }>(
  senders: readonly Given[],
  debt: Preferring,
): readonly Given[] {
  const wanted = senders.filter(
    ({ channel }) => channel.capabilities.policyChannel === debt.preference?.channel && hasAddressOn(channel, debt),
  );
  return wanted.length === 0 ? senders : wanted;
}

/** Returns all senders, those of the wanted channel first. */
export const wantedFirst = (senders: readonly Sender[], debt: Preferring): readonly Sender[] => [
  ...new Set([...wantedSenders(senders, debt), ...senders]),
];

/** The kind of channel whose rules are asked: that of the sender that is tried first. A client without one sends nothing. */
export const policyChannelOf = ([first]: readonly Sender[]): Channel =>
  first?.channel.capabilities.policyChannel ?? 'whatsapp';
