import { randomUUID } from 'node:crypto';
import { nameKeyOf } from '../../../kernel/search-terms.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { PersonKeys } from '../../../platform/shared/person-keys.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { continueEndedDebts, hasEndedDebts } from '../../debts/queries/continued-debts.ts';
import { type GivenColumns, type KnownScope, similarDebts } from '../../debts/queries/given-debts.ts';
import {
  hasCorrectedDebts,
  hasErasedDebts,
  lastPosition,
  lockCampaignToImportInto,
  lockImports,
  type NewDebts,
  storeNewDebts,
} from '../../debts/queries/imports.ts';
import type { CheckedDebt } from './check-debt.ts';
import { requireOpenCampaign } from './require-open-campaign.ts';
import { createSeenDebts, sumOf } from './seen-debts.ts';

/**
 * Writes array literals for PostgreSQL. The driver can write them too, but it examines each value several times, which
 * takes a large part of the time of an import.
 */
const plainArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;

const textArray = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;

/**
 * Small enough that building one statement does not block the event loop, and large enough to keep the overhead low.
 */
const SLICE = 2_500;

/** E-mail addresses contain no space. */
const severalOf = (values: readonly string[]): string | null => (values.length > 1 ? values.join(' ') : null);

/** Few clients have debts that were erased or corrected, and only their imports look them up. */
const scopeOf = async (tx: Tx, clientId: string, sandbox: boolean): Promise<KnownScope> => ({
  clientId,
  sandbox,
  withErased: await hasErasedDebts(tx, clientId),
  withCorrected: await hasCorrectedDebts(tx, clientId),
});

/** Makes the parameters by which a slice is looked up. */
const givenColumns = (
  debts: readonly CheckedDebt[],
  { withErased }: KnownScope,
  { person }: Pick<PersonKeys, 'person'>,
): GivenColumns => ({
  index: plainArray(debts.map((debt) => debt.index)),
  taxId: plainArray(debts.map((debt) => debt.debtorTaxId)),
  amount: plainArray(debts.map((debt) => debt.originalAmountCentavos)),
  due: plainArray(debts.map((debt) => debt.dueDate)),
  invoiceKey: textArray(debts.map((debt) => debt.invoiceKey)),
  personKey: withErased ? textArray(debts.map((debt) => person(debt.debtorTaxId))) : null,
});

/** Makes the parameters with which a slice is stored, from a position on. */
function newColumns(debts: readonly CheckedDebt[], position: number): Pick<NewDebts, 'debts' | 'phones'> {
  const ids = debts.map(() => randomUUID());
  const phones = debts.flatMap(({ debtorPhones }, at) =>
    debtorPhones.length < 2
      ? []
      : debtorPhones.map((phone, index) => ({ debtId: ids[at]!, position: index + 1, phone })),
  );
  return {
    debts: {
      id: plainArray(ids),
      position: plainArray(debts.map((_, at) => position + at)),
      name: textArray(debts.map((debt) => debt.debtorName)),
      nameKey: textArray(debts.map((debt) => nameKeyOf(debt.debtorName))),
      phone: plainArray(debts.map((debt) => debt.debtorPhone)),
      taxId: plainArray(debts.map((debt) => debt.debtorTaxId)),
      email: textArray(debts.map((debt) => debt.debtorEmails[0] ?? null)),
      emails: textArray(debts.map((debt) => severalOf(debt.debtorEmails))),
      amount: plainArray(debts.map((debt) => debt.originalAmountCentavos)),
      due: plainArray(debts.map((debt) => debt.dueDate)),
      invoice: textArray(debts.map((debt) => debt.invoiceId)),
      invoiceKey: textArray(debts.map((debt) => debt.invoiceKey)),
      consentAt: textArray(debts.map(({ consent }) => consent?.at ?? null)),
      consentSource: textArray(debts.map(({ consent }) => consent?.source ?? null)),
      description: textArray(debts.map(({ description }) => description)),
    },
    phones:
      phones.length === 0
        ? null
        : {
            debtId: plainArray(phones.map(({ debtId }) => debtId)),
            position: plainArray(phones.map(({ position: at }) => at)),
            phone: plainArray(phones.map(({ phone }) => phone)),
          },
  };
}

function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += SLICE) yield items.slice(from, from + SLICE);
}

/** Runs one statement for each slice. The parameters are built while PostgreSQL processes the previous slice. */
async function eachSlice<T>(
  items: readonly T[],
  statementOf: (slice: readonly T[]) => () => Promise<void>,
): Promise<void> {
  let running: Promise<void> = Promise.resolve();
  for (const slice of slicesOf(items)) {
    const statement = statementOf(slice);
    await running;
    running = statement();
  }
  await running;
}

export type StoreDeps = Pick<CollectionDeps, 'db' | 'personKeys' | 'workflows' | 'missingConnections'>;

export interface Import {
  readonly clientId: string;
  readonly campaignId: string;
  readonly debts: readonly CheckedDebt[];
  /** What a launch on this deployment makes of a campaign that was not decided to be of the sandbox or real. */
  readonly sandbox: boolean;
  readonly at: Date;
  /** The number of elements in the call, including the invalid ones. */
  readonly sent: number;
  readonly source: RequestSource;
}

/** Thrown inside the transaction to take it back: a debt that the import was to continue is paid, or is collected again. */
class ChangedMeanwhile extends Error {}
/** Each further try means that another such debt has changed in the moment of the import. */
const MAX_TRIES = 5;

/**
 * Stores all debts or, after an error, none. Returns the indexes of the debts that the client has already. Debts that
 * come into a launched campaign are queued, and its workflow plans and starts them: at once, or after a pause.
 */
export async function storeDebts(deps: StoreDeps, request: Import): Promise<number[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await storeOnce(deps, request);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || tries >= MAX_TRIES) throw error;
    }
  }
}

/** Returns the indexes of the debts that the client has already. */
async function knownDebts(
  tx: Tx,
  { personKeys }: StoreDeps,
  scope: KnownScope,
  debts: readonly CheckedDebt[],
): Promise<number[]> {
  const known: number[] = [];
  await eachSlice(debts, (slice) => {
    const columns = givenColumns(slice, scope, personKeys);
    return async () => {
      const similar = await similarDebts(tx, scope, columns);
      if (similar.length === 0) return;
      const byIndex = new Map(slice.map((debt) => [debt.index, debt]));
      const seen = createSeenDebts();
      for (const { index, invoiceKey, hasSameSum } of similar) {
        seen.add({ invoiceKey, sum: hasSameSum ? sumOf(byIndex.get(index)!) : null });
      }
      for (const debt of slice) if (seen.has(debt)) known.push(debt.index);
    };
  });
  return known;
}

const storeOnce = (deps: StoreDeps, request: Import): Promise<number[]> => {
  const { clientId, campaignId, debts, at, sent, source } = request;
  return deps.db.tenant(clientId).transactional(async (tx) => {
    // Without this lock, two concurrent imports of the same debts would not see each other's rows, and could deadlock.
    await lockImports(tx, clientId);
    const locked = await lockCampaignToImportInto(tx, { clientId, campaignId });
    const campaign = await requireOpenCampaign(tx, deps, clientId, locked);
    const isLaunched = campaign.status !== 'DRAFT';
    const sandbox = campaign.sandbox ?? request.sandbox;
    const status = isLaunched ? 'QUEUED' : 'IMPORTED';
    const last = await lastPosition(tx, campaignId);
    // The only ended debt of the client may be paid, or resumed, before the question is asked again at the end.
    const hadEnded = await hasEndedDebts(tx, clientId);
    const known = await knownDebts(tx, deps, await scopeOf(tx, clientId, sandbox), debts);
    const isKnown = new Set(known);
    const fresh = known.length === 0 ? debts : debts.filter(({ index }) => !isKnown.has(index));
    let position = last + 1;
    await eachSlice(fresh, (slice) => {
      const columns = newColumns(slice, position);
      position += slice.length;
      return () => storeNewDebts(tx, { clientId, campaignId, sandbox, status, at, ...columns });
    });
    const mayContinue = hadEnded || (await hasEndedDebts(tx, clientId));
    if (mayContinue && !(await continueEndedDebts(tx, campaignId, last))) throw new ChangedMeanwhile();
    const imported = fresh.length;
    const details = { imported, skipped: sent - imported };
    await addRequestAudit(tx, { clientId, source, action: 'debts_imported', target: campaignId, details });
    if (campaign.status === 'RUNNING' && imported > 0) {
      const { launchedAt } = campaign;
      await addOutbox(tx, deps.workflows.takeDebts({ id: campaignId, clientId, sandbox }, launchedAt ?? at, at));
    }
    return known;
  });
};

/** Returns what `storeDebts` would return, without storing anything. */
export const findKnownDebts = (
  deps: StoreDeps,
  clientId: string,
  sandbox: boolean,
  debts: readonly CheckedDebt[],
): Promise<number[]> =>
  deps.db
    .tenant(clientId)
    .transactional(async (tx) => knownDebts(tx, deps, await scopeOf(tx, clientId, sandbox), debts));
