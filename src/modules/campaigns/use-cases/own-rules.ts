import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { collectsForOf, lockClient } from '../../accounts/queries/clients.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { markPlansOutdated } from '../../debts/queries/campaign-settings.ts';
import { insertRules, newestRules } from '../../policy/queries/client-rules.ts';
import type { OwnRules } from '../../policy/rules/campaign-settings.ts';
import { campaignsByHours } from '../queries/area-codes.ts';
import { requireOpenings, requireOpeningsEverywhere } from './require-openings.ts';

export interface OwnRulesView {
  /** 0 before the first change. */
  readonly version: number;
  readonly rules: OwnRules;
  readonly since: string | null;
}

const NONE: OwnRules = { hours: null, weekdays: null, caps: [], daysAfterDue: null };

/** Returns the rules by which a client is stricter than the policy. */
export const readOwnRules =
  ({ db }: Pick<CollectionDeps, 'db'>) =>
  async (clientId: string): Promise<OwnRulesView> => {
    const row = await db.tenant(clientId).transactional((tx) => newestRules(tx, clientId));
    if (row === undefined) return { version: 0, rules: NONE, since: null };
    return { version: row.version, rules: row.rules, since: row.createdAt.toISOString() };
  };

/** Replaces the rules of a client. They hold for every contact that is not booked yet, of all its campaigns. */
export const changeOwnRules =
  (deps: CollectionDeps) =>
  async (request: {
    readonly clientId: string;
    readonly rules: OwnRules;
    readonly source: RequestSource;
  }): Promise<OwnRulesView> => {
    const { clientId, rules, source } = request;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      // Two calls at once must not both store the version that follows.
      await lockClient(tx, clientId);
      const version = ((await newestRules(tx, clientId))?.version ?? 0) + 1;
      const pointer = rules.weekdays === null ? '/hours' : '/weekdays';
      const own = { version, rules };
      const collectsFor = await collectsForOf(tx, clientId);
      requireOpeningsEverywhere(deps, { collectsFor, own, pointer });
      for (const { hours, campaigns } of await campaignsByHours(tx, clientId)) {
        await requireOpenings(tx, deps, { collectsFor, own, hours, campaigns, pointer });
      }
      await insertRules(tx, { clientId, version, rules });
      await markPlansOutdated(tx, { campaignId: null });
      await addRequestAudit(tx, { clientId, source, action: 'own_rules_changed', details: { version } });
      await addOutboxRows(tx, deps.workflows.wakeAll({ clientId }, deps.now()));
    });
    return readOwnRules(deps)(clientId);
  };
