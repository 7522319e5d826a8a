import { expect, it } from '@jest/globals';
import type { DebtTransition } from '../../src/kernel/debt-status.ts';
import { readDashboard } from '../../src/modules/campaigns/use-cases/read-dashboard.ts';
import { moveDebt } from '../../src/modules/debts/use-cases/move-debt.ts';
import { cpfOf } from '../../testing/debts.ts';
import { openEngine } from '../../testing/engine.ts';
import { opened } from '../../testing/opened.ts';

const engine = await opened(openEngine());

it('counts a promise once: kept with the payment, broken with the next contact or the end, or neither', async () => {
  const endings: readonly DebtTransition[][] = [
    ['paid'],
    ['promised', 'paid'],
    ['contacted', 'paid'],
    ['exhausted'],
    ['unreachable'],
    ['disputed', 'paid'],
    ['opted_out'],
    ['withdrawn', 'paid'],
    ['held', 'resumed', 'promised'],
  ];
  const { clientId } = await engine.debt({ status: 'QUEUED', cpf: cpfOf(610_000_000), phone: '+5511980060000' });
  for (const [n, events] of endings.entries()) {
    const person = { cpf: cpfOf(610_000_001 + n), phone: `+55119800600${String(10 + n)}` };
    const { id } = await engine.debt({ clientId, status: 'IN_COLLECTION', ...person });
    for (const event of ['promised', ...events] as const) {
      await engine.db
        .tenant(clientId)
        .transactional((tx) => moveDebt(tx, engine.deps.workflows, id, event as DebtTransition, engine.clock.now));
    }
  }
  const { promises } = await readDashboard(engine.deps)({ clientId, sandbox: false });
  expect(promises).toEqual({ open: 1, kept: 2, broken: 3 });
});
