import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { SharedDeps } from '../../deps.ts';
import { keepSentTexts } from '../../genuine/use-cases/keep-sent-texts.ts';
import type { BookedMessage } from './booked-message.ts';
import type { Candidate } from './candidates.ts';

/** Keeps the hashes of a message in the transaction that books it for a sender, so that "É verdade?" recognises it. */
export async function keepSentText(
  tx: Tx,
  deps: Pick<SharedDeps, 'textHashes'>,
  {
    id: debtId,
    clientId,
    sandbox,
    clientName: creditorName,
  }: Pick<DebtContext, 'id' | 'clientId' | 'sandbox' | 'clientName'>,
  { sender }: Pick<Candidate, 'sender'>,
  { id, purpose, text }: Pick<BookedMessage, 'id' | 'purpose' | 'text'>,
): Promise<void> {
  const forms = sender.channel.formsOf?.({ id, text, creditorName, debtId, purpose }) ?? [];
  await keepSentTexts(tx, deps, { clientId, sandbox, texts: [text, ...forms] });
}
