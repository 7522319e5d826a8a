import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { mapDbError } from '../../../src/platform/database/map-db-error.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { defineRoute } from '../../../src/platform/http/define-route.ts';
import { startEmbeddedPostgres } from '../../../src/platform/runtime/embedded-postgres.ts';
import { ask, askAs } from '../../../testing/database.ts';
import { startHttpHarness } from '../../../testing/http-harness.ts';
import { killPostgres } from '../../../testing/kill-postgres.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { readRaw } from '../../../testing/raw-sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'quita-lost-'));
await opened({ clean: () => rmSync(folder, { recursive: true, force: true }) });
const server = await opened(startEmbeddedPostgres({ dataDir: folder, log: () => {} }));
await migrate(server.url);
const db = await opened(openDatabase({ url: server.url, role: 'quita_app' }));
const route = defineRoute({
  method: 'GET',
  path: '/api/seconds/:count',
  operationId: 'sampleSeconds',
  summary: 'Takes its time',
  tags: ['Samples'],
  auth: 'none',
  params: z.object({ count: z.coerce.number() }),
  responses: { 200: { description: 'Time is over', schema: z.object({ count: z.number() }) } },
  errors: ['unavailable'],
  handler: async ({ params: { count } }) => {
    if (count < 0) await readRaw(db, {}, { name: 'sample_full', text: 'select sample_full_disk()' });
    else await readRaw(db, {}, { name: 'sample_sleep', text: 'select pg_sleep($1)' }, [count]);
    return { status: 200, body: { count } };
  },
});
const harness = await opened(startHttpHarness({ routes: [route], mapError: mapDbError }));

/** These tests use a separate server, because they kill it and make it fail. */
describe('a request whose database fails', () => {
  const asApi = (statement: string): Promise<object[]> => askAs(server.url, 'quita_app', statement);

  const expectUnavailable = async (answer: Response): Promise<void> => {
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ status: 503, code: 'unavailable', requestId: answer.headers.get('x-request-id') });
    expect(JSON.stringify(body)).not.toMatch(/postgres|select|127\.0\.0\.1|Error/i);
  };

  it('is answered 503 when the connection is lost during the request, and later requests succeed', async () => {
    expect((await harness.call('/api/seconds/0')).status).toBe(200);
    const underWay = harness.call('/api/seconds/30');
    await until('the statement runs', async () => {
      const running = `select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`;
      return (await asApi(running)).length > 0;
    });
    await killPostgres(server);
    await expectUnavailable(await underWay);
    await until('the same request works again', async () => {
      const answer = await harness.call('/api/seconds/0');
      if (answer.status === 200) return true;
      await expectUnavailable(answer);
      return false;
    });
  });

  it('is answered 503 when the disk is full', async () => {
    await ask(
      server.url,
      `create function sample_full_disk() returns int language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'could not extend file "base/16384/2619"'; end $$`,
    );
    await expectUnavailable(await harness.call('/api/seconds/-1'));
    expect((await harness.call('/api/seconds/0')).status).toBe(200);
  });
});
