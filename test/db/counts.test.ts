import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Count } from '../../src/kernel/ports/counts.ts';
import { addCounts } from '../../src/platform/database/add-count.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;
let counted: string[] = [];

const moved = (status: string): Count => ({ name: 'debts_moved', labels: { status } });

beforeAll(async () => {
  database = await createTestDatabase();
  const addCount = ({ labels }: Count) => void counted.push(Object.values(labels).join());
  db = await openDatabase({ url: database.url, role: 'quita_worker', addCount });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(() => {
  counted = [];
});

describe('counts of a transaction', () => {
  it('are added after the outermost commit', async () => {
    await db.system().transactional(async (tx) => {
      addCounts(tx, [moved('PAID'), moved('STOPPED')]);
      await tx.transactional(async (inner) => addCounts(inner, [moved('EXHAUSTED')]));
      expect(counted).toEqual([]);
    });
    expect(counted).toEqual(['PAID', 'STOPPED', 'EXHAUSTED']);
  });

  it('are forgotten after a rollback', async () => {
    const rolledBack = db.system().transactional(async (tx) => {
      addCounts(tx, [moved('PAID')]);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(counted).toEqual([]);
  });
});
