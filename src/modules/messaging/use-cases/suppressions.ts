import type { Tx } from '../../../platform/database/tx.ts';
import type { ContactQuestion } from '../../policy/rules/contact-question.ts';
import { insertSuppression, type SuppressionRow, suppressionsOf } from '../queries/suppressions.ts';
import type { SuppressionKind } from '../tables/suppression.ts';
import type { LedgerKey } from './contact-ledger.ts';

/** Who must not be contacted. `sender` is the number at which it was asked for, when several clients may share it. */
export interface SuppressionKey extends LedgerKey {
  readonly sender: string | null;
}

/** The suppressions that the client received itself, and whether one that another client received binds it too. */
export type Suppressed = ContactQuestion['suppressions'];

export async function suppress(tx: Tx, kind: SuppressionKind, key: SuppressionKey): Promise<void> {
  const { sandbox, personKey, phoneKey, clientId, sender } = key;
  await insertSuppression(tx, { sandbox, kind, personKey, phoneKey, clientId, sender });
}

/** Whose suppressions are asked for, by a client that sends from these numbers. */
export interface SuppressionQuestion extends LedgerKey {
  readonly numbers: readonly string[];
}

export const readSuppressions = (tx: Tx, keys: readonly LedgerKey[]): Promise<SuppressionRow[]> =>
  suppressionsOf.run(tx, {
    sandbox: keys[0]?.sandbox ?? false,
    personKeys: keys.map((key) => key.personKey),
    phoneKeys: keys.map((key) => key.phoneKey),
  });

/** A sandbox suppression counts for its own client only, because one client's tests must not affect another client. */
export function suppressedBy(rows: readonly SuppressionRow[], key: SuppressionQuestion): Suppressed {
  const own = rows.filter((row) => row.clientId === key.clientId);
  const foreign = key.sandbox ? [] : rows.filter((row) => row.clientId !== key.clientId);
  const isWrongPerson = (row: SuppressionRow) =>
    row.kind === 'wrong_person' && row.personKey === key.personKey && row.phoneKey === key.phoneKey;
  const isOptOut = (row: SuppressionRow) => row.kind === 'opt_out' && row.personKey === key.personKey;
  // Whoever holds a phone may silence it, whatever person the next message is meant for.
  const isSilence = (row: SuppressionRow) =>
    (row.kind === 'opt_out' || row.kind === 'phone_opt_out') && row.phoneKey === key.phoneKey;
  const isOfSender = (row: SuppressionRow) =>
    (isOptOut(row) || isSilence(row)) && row.sender !== null && key.numbers.includes(row.sender);
  return {
    optedOut: own.some(isOptOut),
    phoneSilenced: own.some(isSilence),
    wrongPerson: own.some(isWrongPerson),
    elsewhere: foreign.some((row) => isWrongPerson(row) || isOfSender(row)),
  };
}

/** Returns whether this client has heard that the phone does not belong to the person. */
export const isWrongPhone = async (tx: Tx, key: LedgerKey): Promise<boolean> =>
  suppressedBy(await readSuppressions(tx, [key]), { ...key, numbers: [] }).wrongPerson;
