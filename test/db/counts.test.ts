import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Count } from '../../src/kernel/ports/counts.ts';
import { addCounts } from '../../src/platform/database/add-count.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';

let counted: string[] = [];

const moved = (status: string): Count => ({ name: 'debts_moved', labels: { status } });

const database = await opened(createTestDatabase());
const addCount = ({ labels }: Count) => void counted.push(Object.values(labels).join());
const db = await opened(openDatabase({ url: database.url, role: 'quita_worker', addCount }));
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
