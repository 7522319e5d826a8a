import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import { CHANNEL_OPT_OUT_TEXT } from '../texts/channel-opt-out.ts';
import { storeReceived } from './receive-message.ts';

/** Stores that the person asked the channel itself for silence, as a message that says so. */
export const storeOptOut = (
  tx: Tx,
  deps: Pick<SharedDeps, 'now' | 'workflows'>,
  optOut: {
    readonly clientId: string;
    readonly debtId: string;
    readonly channel: string;
    readonly phone?: string;
    readonly channelMessageId: string;
  },
): Promise<'stored' | 'repeated' | 'unknown_debt'> =>
  storeReceived(tx, deps, { ...optOut, text: CHANNEL_OPT_OUT_TEXT, button: 'opt_out' });
