import { type Insertable, sql } from 'kysely';
import type { LocalDate } from '../../../kernel/calendar.ts';
import { anyOf, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';
import type { Person } from '../../debts/queries/persons.ts';
import type { Instalment } from '../rules/instalments.ts';
import type { OfferedDebt } from '../rules/standing-offers.ts';

export type StoredOffer = Awaited<ReturnType<typeof offersUntil>>[number];

const COLUMNS = [
  'offers.id',
  'offers.number',
  'offers.kind',
  'offers.debts',
  'offers.totalCentavos',
  'offers.discountCentavos',
  'offers.entryCentavos',
  'offers.instalments',
  'offers.validUntil',
  'offers.madeBy',
  'offers.policyVersion',
  'offers.acceptedAt',
  'offers.memberId',
  nameOfMember('offers.member_id').as('memberName'),
] as const;

const offersOf = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  queriesIn(tx)
    .selectFrom('offers')
    .innerJoin('debts', 'debts.id', 'offers.debtId')
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('offers.sandbox', '=', sandbox);

/** Returns the offers to a person whose last day is not before `day`, in the order of their numbers. */
export const offersUntil = (tx: Tx, person: Person, day: LocalDate) =>
  offersOf(tx, person).where('offers.validUntil', '>=', day).select(COLUMNS).orderBy('offers.number').execute();

export async function lastOfferNumber(tx: Tx, person: Person): Promise<number> {
  const row = await offersOf(tx, person)
    .select(({ fn }) => fn.max('offers.number').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Counts the offers that have answered proposals of the person since a version of the policy. */
export async function proposalsAnswered(tx: Tx, person: Person, sinceVersion: number): Promise<number> {
  const row = await offersOf(tx, person)
    .where('offers.madeBy', '=', 'proposal')
    .where('offers.policyVersion', '>=', sinceVersion)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export const readOffer = (tx: Tx, offerId: string) =>
  queriesIn(tx).selectFrom('offers').select(COLUMNS).where('offers.id', '=', offerId).executeTakeFirst();

export type NewOffer = Omit<Insertable<Tables['offers']>, 'debts' | 'instalments'> & {
  readonly debts: readonly OfferedDebt[];
  readonly instalments: readonly Instalment[];
};

export const insertOffers = (tx: Tx, offers: readonly NewOffer[]): Promise<StoredOffer[]> =>
  queriesIn(tx)
    .insertInto('offers')
    .values(
      offers.map(({ debts, instalments, ...offer }) => ({
        ...offer,
        debts: sql<readonly OfferedDebt[]>`${JSON.stringify(debts)}::jsonb`,
        instalments: sql<readonly Instalment[]>`${JSON.stringify(instalments)}::jsonb`,
      })),
    )
    .returning(COLUMNS)
    .execute();

/** Returns the debts in the order in which they were imported. */
export async function inOrderOfImport(tx: Tx, debtIds: readonly string[]): Promise<string[]> {
  const rows = await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('id', '=', anyOf(debtIds, 'uuid'))
    .orderBy('createdAt')
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Returns whether the person has asked this client not to be contacted. What was asked of another client may not be
 * learned from an offer.
 */
export async function hasOptedOut(
  tx: Tx,
  {
    clientId,
    sandbox,
    personKey,
  }: { readonly clientId: string; readonly sandbox: boolean; readonly personKey: string },
): Promise<boolean> {
  const row = await queriesIn(tx)
    .selectFrom('suppressions')
    .select('kind')
    .where('clientId', '=', clientId)
    .where('sandbox', '=', sandbox)
    .where('kind', '=', 'opt_out')
    .where('personKey', '=', personKey)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
