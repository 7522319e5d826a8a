import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { pageOfPerson, rightsUrl } from '../../debts/use-cases/rights-link.ts';
import type { SharedDeps } from '../../deps.ts';
import { keepSentTexts } from '../../genuine/use-cases/keep-sent-texts.ts';
import type { BookedMessage } from './booked-message.ts';
import type { Candidate } from './candidates.ts';

type OfDebt = Pick<
  DebtContext,
  'id' | 'clientId' | 'sandbox' | 'clientName' | 'debtorTaxId' | 'erased' | 'wrongPerson'
>;

/** Keeps the hashes of a message in the transaction that books it for a sender, so that "É verdade?" recognises it. */
export async function keepSentText(
  tx: Tx,
  deps: Pick<SharedDeps, 'textHashes' | 'publicUrl'>,
  debt: OfDebt,
  candidate: Pick<Candidate, 'sender'>,
  message: Pick<BookedMessage, 'id' | 'purpose' | 'text'>,
): Promise<void> {
  const { clientId, sandbox } = debt;
  await keepSentTexts(tx, deps, { clientId, sandbox, texts: await formsOfText(tx, deps, debt, candidate, message) });
}

/** Returns every form in which the recipient of a message may copy it. */
export async function formsOfText(
  tx: Tx,
  deps: Pick<SharedDeps, 'publicUrl'>,
  debt: OfDebt,
  { sender: { channel } }: Pick<Candidate, 'sender'>,
  { id, purpose, text }: Pick<BookedMessage, 'id' | 'purpose' | 'text'>,
): Promise<string[]> {
  const { id: debtId, clientName: creditorName } = debt;
  const pageId = channel.capabilities.reaches === 'email' && !debt.wrongPerson ? await pageOfPerson(tx, debt) : null;
  const page = pageId === null ? null : rightsUrl(deps.publicUrl, pageId);
  return [text, ...(channel.formsOf?.({ id, text, creditorName, debtId, purpose, rightsUrl: page }) ?? [])];
}
