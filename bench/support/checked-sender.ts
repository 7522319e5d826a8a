import type { Client } from 'pg';

const SENDER = `
  insert into channel_senders (client_id, channel, sender_id, account_id, shown_as, checked_at)
  values ($1, 'whatsapp', $2, $3, $2, quita_now())`;

/** Stores what the hourly check would: the channel has accepted the sender, and names no limit of people. */
export async function storeCheckedSender(
  owner: Client,
  clientId: string,
  { senderId, accountId }: { readonly senderId: string; readonly accountId: string | null },
): Promise<void> {
  await owner.query(SENDER, [clientId, senderId, accountId]);
}
