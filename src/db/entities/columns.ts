import { randomUUID } from 'node:crypto';
import { p } from '@mikro-orm/postgresql';

/** Primary key, known before the insert so that a row and what points at it go in one flush. */
export const id = () =>
  p
    .uuid()
    .primary()
    .onCreate(() => randomUUID())
    .defaultRaw('gen_random_uuid()');

/** A moment. Milliseconds, because a JavaScript Date would cut microseconds off and a page's cursor would skip rows. */
export const instant = () => p.datetime(3);

export const createdAt = () =>
  instant()
    .onCreate(() => new Date())
    .defaultRaw('current_timestamp(3)');

export const updatedAt = () => createdAt().onUpdate(() => new Date());

/** Money. An integer column ends at R$ 21 million, a debt may be R$ 99,999,999.99. */
export const centavos = () => p.bigint('number');
