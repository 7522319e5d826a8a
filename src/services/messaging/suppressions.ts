import type { EntityManager } from '@mikro-orm/postgresql';
import type { SuppressionKind } from '../../db/entities/suppression.ts';
import { insertSuppression, type SuppressionRow, suppressionsOfPersons } from '../../db/queries/suppressions.ts';
import type { ContactQuestion } from '../../domain/contact-policy.ts';
import type { LedgerKey } from './contact-ledger.ts';

/** Identifies who must not be contacted. `sender` is the number that the client sends from, when clients share one. */
export interface SuppressionKey extends LedgerKey {
  readonly sender: string | null;
}

/** The suppressions that the client received itself, and whether one that another client received binds it too. */
export type Suppressed = ContactQuestion['suppressions'];

export async function suppress(em: EntityManager, kind: SuppressionKind, key: SuppressionKey): Promise<void> {
  const { sandbox, personKey, phoneKey, clientId, sender } = key;
  await insertSuppression(em, { sandbox, kind, personKey, phoneKey, clientId, sender });
}

export const readSuppressions = (em: EntityManager, keys: readonly LedgerKey[]): Promise<SuppressionRow[]> =>
  suppressionsOfPersons(
    em,
    keys[0]?.sandbox ?? false,
    keys.map((key) => key.personKey),
  );

/** A sandbox suppression counts for its own client only, because one client's tests must not affect another client. */
export function suppressedBy(rows: readonly SuppressionRow[], key: SuppressionKey): Suppressed {
  const ofPerson = rows.filter((row) => row.personKey === key.personKey);
  const own = ofPerson.filter((row) => row.clientId === key.clientId);
  const foreign = key.sandbox ? [] : ofPerson.filter((row) => row.clientId !== key.clientId);
  const isWrongPerson = (row: SuppressionRow) => row.kind === 'wrong_person' && row.phoneKey === key.phoneKey;
  const isOfSender = (row: SuppressionRow) =>
    row.kind === 'opt_out' && row.sender !== null && row.sender === key.sender;
  return {
    optedOut: own.some((row) => row.kind === 'opt_out'),
    wrongPerson: own.some(isWrongPerson),
    elsewhere: foreign.some((row) => isWrongPerson(row) || isOfSender(row)),
  };
}
