import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt } from '../../../platform/database/tables/columns.ts';

/**
 * The texts of every version of a policy pack that this deployment has used. A verdict names the pack and its version,
 * so the text must stay readable after the files have changed. It belongs to no client.
 */
export const PolicyVersion = defineEntity({
  name: 'PolicyVersion',
  tableName: 'policy_versions',
  properties: {
    pack: p.text().primary(),
    version: p.text().primary(),
    /** SHA-256 of the files, by which a change without a new version is noticed. */
    hash: p.text(),
    content: p.json().$type<Readonly<Record<string, unknown>>>(),
    createdAt: createdAt(),
  },
});
