import type { EntityManager } from '@mikro-orm/postgresql';
import { addRequestAudit, type RequestSource } from '../../db/add-audit.ts';
import { addOutbox } from '../../db/add-outbox.ts';
import { continueEndedDebts, hasEndedDebts } from '../../db/queries/continued-debts.ts';
import { type GivenColumns, knownDebts } from '../../db/queries/given-debts.ts';
import {
  hasErasedDebts,
  lastPosition,
  lockCampaignToImportInto,
  lockImports,
  storeNewDebts,
} from '../../db/queries/imports.ts';
import { closeUndeliveredOfContinued } from '../../db/queries/inbox-items.ts';
import { invoiceKeyOf } from '../../domain/invoice-key.ts';
import { nameKeyOf } from '../../domain/name-key.ts';
import type { CollectionDeps } from '../collection/deps.ts';
import type { PersonKeys } from '../shared/person-keys.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { CheckedDebt } from './check-debt.ts';
import { requireOpenCampaign } from './require-open-campaign.ts';

/**
 * Small enough that building one statement does not block the event loop, and large enough to keep the overhead low.
 */
const SLICE = 2_500;

/** Neither phones nor e-mail addresses contain a space. */
const severalOf = (values: readonly string[]): string | null => (values.length > 1 ? values.join(' ') : null);

/** Returns a function that makes the column parameters of a slice. */
async function columnsFor(
  em: EntityManager,
  clientId: string,
  { person }: Pick<PersonKeys, 'person'>,
): Promise<(debts: readonly CheckedDebt[]) => GivenColumns> {
  // Few clients have debts of erased debtors, and only their imports look them up.
  const withErased = await hasErasedDebts(em, clientId);
  return (debts) => ({
    index: plainArray(debts.map((debt) => debt.index)),
    name: textArray(debts.map((debt) => debt.debtorName)),
    nameKey: textArray(debts.map((debt) => nameKeyOf(debt.debtorName))),
    phone: plainArray(debts.map((debt) => debt.debtorPhone)),
    cpf: plainArray(debts.map((debt) => debt.debtorTaxId)),
    email: textArray(debts.map((debt) => debt.debtorEmails[0] ?? null)),
    phones: textArray(debts.map((debt) => severalOf(debt.debtorPhones))),
    emails: textArray(debts.map((debt) => severalOf(debt.debtorEmails))),
    amount: plainArray(debts.map((debt) => debt.originalAmountCentavos)),
    due: plainArray(debts.map((debt) => debt.dueDate)),
    invoice: textArray(debts.map((debt) => debt.invoiceId)),
    invoiceKey: textArray(debts.map(({ invoiceId }) => (invoiceId === null ? null : invoiceKeyOf(invoiceId)))),
    consentAt: textArray(debts.map(({ consent }) => consent?.at ?? null)),
    consentSource: textArray(debts.map(({ consent }) => consent?.source ?? null)),
    personKey: withErased ? textArray(debts.map((debt) => person(debt.debtorTaxId))) : null,
  });
}

function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += SLICE) yield items.slice(from, from + SLICE);
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

/**
 * Stores all debts or, after an error, none. Returns the indexes of the debts that the client has already. Debts that
 * come into a launched campaign are queued, and its workflow plans and starts them: at once, or after a pause.
 */
export const storeDebts = (deps: StoreDeps, request: Import): Promise<number[]> => {
  const { clientId, campaignId, debts, at, sent, source } = request;
  return deps.db.tenant(clientId).transactional(async (em) => {
    // Without this lock, two concurrent imports of the same debts would not see each other's rows, and could deadlock.
    await lockImports(em, clientId);
    const locked = await lockCampaignToImportInto(em, { clientId, campaignId });
    const campaign = await requireOpenCampaign(deps, clientId, locked);
    const isLaunched = campaign.status !== 'DRAFT';
    const sandbox = campaign.sandbox ?? request.sandbox;
    const status = isLaunched ? 'QUEUED' : 'IMPORTED';
    const last = await lastPosition(em, campaignId);
    let position = last;
    const toColumns = await columnsFor(em, clientId, deps.personKeys);
    const known: number[] = [];
    let running: Promise<void> = Promise.resolve();
    for (const slice of slicesOf(debts)) {
      // The parameters are built while PostgreSQL processes the previous slice.
      const columns = toColumns(slice);
      await running;
      running = storeNewDebts(em, { clientId, campaignId, columns, position, sandbox, status, at }).then(
        (duplicates) => {
          known.push(...duplicates);
          position += slice.length - duplicates.length;
        },
      );
    }
    await running;
    if (await hasEndedDebts(em, clientId)) {
      await continueEndedDebts(em, campaignId, last);
      await closeUndeliveredOfContinued(em, campaignId, last);
    }
    const imported = debts.length - known.length;
    const details = { imported, skipped: sent - imported };
    await addRequestAudit(em, { clientId, source, action: 'debts_imported', target: campaignId, details });
    if (campaign.status === 'RUNNING' && imported > 0) {
      const { launchedAt } = campaign;
      await addOutbox(em, deps.workflows.takeDebts({ id: campaignId, clientId, sandbox }, launchedAt ?? at, at));
    }
    return known;
  });
};

/** Returns what `storeDebts` would return, without storing anything. */
export const findKnownDebts = (deps: StoreDeps, clientId: string, debts: readonly CheckedDebt[]): Promise<number[]> =>
  deps.db.tenant(clientId).transactional(async (em) => {
    const toColumns = await columnsFor(em, clientId, deps.personKeys);
    const known: number[] = [];
    for (const slice of slicesOf(debts)) {
      known.push(...(await knownDebts(em, clientId, toColumns(slice))));
    }
    return known;
  });
