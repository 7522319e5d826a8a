import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '../../../platform/database/tables/columns.ts';

/**
 * How far the first contacts that wait for one opening are planned, over all campaigns, so that they keep the pace
 * together. It counts contacts and names nobody.
 */
export const ContactPace = defineEntity({
  name: 'ContactPace',
  tableName: 'contact_pace',
  properties: {
    /** `real`, or the id of a sandbox campaign, because sandbox clocks run apart from each other. */
    scope: p.text().primary(),
    /** The moment of the opening, or the epoch for contacts that wait for none. */
    opening: instant().primary(),
    /** The moment that follows the contacts planned so far. */
    freeFrom: instant(),
  },
});
