import { randomUUID } from 'node:crypto';
import type { InferEntity, RequiredEntityData } from '@mikro-orm/postgresql';
import { Client } from '../src/modules/accounts/tables/client.ts';
import type { Database } from '../src/platform/database/database.ts';
import { entitiesOf } from './entities-of.ts';

type ClientRow = InferEntity<typeof Client>;
type Given = Partial<Omit<RequiredEntityData<ClientRow>, 'id'>> & { id?: string };

/** Creates a client for one test; given values replace the defaults. */
export async function createClient(db: Database, given: Given = {}): Promise<ClientRow> {
  const id = given.id ?? randomUUID();
  const entities = entitiesOf(db.tenant(id));
  const client = entities.create(Client, {
    name: 'Escola Aurora',
    email: `financeiro@${id}.com.br`,
    plan: 'GROWTH',
    status: 'ACTIVE',
    ...given,
    id,
  });
  await entities.flush();
  return client;
}
