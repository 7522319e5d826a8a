import type { EntityManager } from '@mikro-orm/postgresql';
import { queriesIn } from './builder.ts';

/** Returns debts that stopped at a pause which has ended since, over all clients; the longest-waiting debts first. */
export const resumableDebts = (em: EntityManager, limit: number) =>
  queriesIn(em)
    .selectFrom('debts')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .select(['debts.id', 'debts.clientId', 'debts.campaignId', 'debts.sandbox', 'debts.clockOffsetMs'])
    .where('debts.pausedAt', 'is not', null)
    .where('campaigns.status', '=', 'RUNNING')
    .where('clients.status', 'in', ['ONBOARDING', 'ACTIVE'])
    .orderBy('debts.pausedAt')
    .limit(limit)
    .execute();
