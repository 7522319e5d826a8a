import { defineEntity, p } from '@mikro-orm/postgresql';
import { ATTACHMENT_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, oneOf } from '../../../platform/database/tables/columns.ts';
import { purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { FILE_TYPES, type FileType } from '../rules/file-content.ts';
import { RightsRequest } from './rights-request.ts';

const tenancy = tenantTable();

/** A file that a person sent with a request. Its content is encrypted, and its name is not kept. */
export const RightsFile = defineEntity({
  name: 'RightsFile',
  tableName: 'rights_files',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    requestId: () => p.manyToOne(RightsRequest).mapToPk().fieldName('request_id').deleteRule('cascade'),
    /** By its content. */
    contentType: p.text().$type<FileType>(),
    bytes: p.integer(),
    /** The content that `src/kernel/ports/credential-cipher.ts` has sealed, bound to client and request. */
    sealed: p.text(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'rights_files_debt', properties: ['debtId'] },
    { name: 'rights_files_client', properties: ['clientId'] },
    { name: 'rights_files_created', properties: ['createdAt'] },
  ],
  uniques: [{ name: 'rights_files_request', properties: ['requestId'] }],
  checks: [{ name: 'rights_files_type_known', expression: oneOf('content_type', FILE_TYPES) }],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(`created_at < (current_timestamp - '${ATTACHMENT_DAYS} days'::interval)`),
  ],
});
