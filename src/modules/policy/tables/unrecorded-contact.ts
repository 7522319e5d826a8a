import { defineEntity } from '@mikro-orm/postgresql';
import { instant } from '../../../platform/database/tables/columns.ts';

/**
 * Moments at which any person may have been contacted, although this database does not know it: `quita restore` adds one
 * for each day between the backup and the end of the service that was lost. The caps count them for everybody.
 */
export const UnrecordedContact = defineEntity({
  name: 'UnrecordedContact',
  tableName: 'unrecorded_contacts',
  properties: {
    at: instant().primary(),
  },
});
