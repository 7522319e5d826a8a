import { randomUUID } from 'node:crypto';
import { findDebtOfWriter } from '../../src/modules/messaging/use-cases/find-debt-of-writer.ts';
import { storeReceived } from '../../src/modules/messaging/use-cases/receive-message.ts';
import type { Engine, MadeDebt } from '../../testing/engine.ts';

/** Stores a message as it comes from a phone to the client of this debt, whichever debt it is about. */
export const receiveFrom = (
  { deps, db }: Engine,
  { clientId }: Pick<MadeDebt, 'clientId'>,
  fromPhone: string,
  text: string,
  channelMessageId: string = randomUUID(),
): Promise<'stored' | 'repeated' | 'unknown_debt'> =>
  db.tenant(clientId).transactional(async (tx) => {
    const writer = { fromPhone, channelUserId: null, inReplyTo: null };
    const debt = await findDebtOfWriter(tx, 'whatsapp', writer);
    if (debt === null) return 'unknown_debt';
    const message = { clientId, debtId: debt.id, phone: debt.phone, channel: 'whatsapp', channelMessageId, text };
    return storeReceived(tx, deps, message);
  });
