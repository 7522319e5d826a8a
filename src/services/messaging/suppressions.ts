import type { EntityManager } from '@mikro-orm/postgresql';
import type { SuppressionKind } from '../../db/entities/suppression.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { ContactQuestion } from '../../domain/contact-policy.ts';
import type { LedgerKey } from './contact-ledger.ts';

/** Identifies who must not be contacted. `sender` is the number that the client sends from, when clients share one. */
export interface SuppressionKey extends LedgerKey {
  readonly sender: string | null;
}

/** The suppressions that the client received itself, and whether one that another client received binds it too. */
export type Suppressed = ContactQuestion['suppressions'];

const ADD = `
  insert into suppressions (sandbox, kind, person_key, phone_key, client_id, sender)
  select $1, $2, $3, $4, $5, $6 where not exists (
    select 1 from suppressions
    where sandbox = $1 and kind = $2 and person_key = $3 and phone_key = $4 and client_id = $5
      and sender is not distinct from $6::text
  )`;

export async function suppress(em: EntityManager, kind: SuppressionKind, key: SuppressionKey): Promise<void> {
  await runInTransaction(em, ADD, [key.sandbox, kind, key.personKey, key.phoneKey, key.clientId, key.sender]);
}

const READ = `
  select kind, phone_key as "phoneKey", person_key as "personKey", client_id as "clientId", sender from suppressions
  where sandbox = $1 and person_key = any ($2)`;

export interface SuppressionRow {
  readonly kind: SuppressionKind;
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly sender: string | null;
}

export const readSuppressions = (em: EntityManager, keys: readonly LedgerKey[]): Promise<SuppressionRow[]> =>
  runInTransaction<SuppressionRow>(em, READ, [keys[0]?.sandbox ?? false, keys.map((key) => key.personKey)]);

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
