/**
 * `node bench/import-memory.ts` measures the memory of the process during twenty concurrent imports of 32 MiB. Each
 * kind of body has a new API process: ordinary debts, bodies whose content is mostly discarded, and bodies that are
 * small as text and large when they are parsed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { debtInput } from '../testing/debts.ts';
import { peakRss, startApiProcess } from './support/api-process-memory.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const PARALLEL = sized(20, 6);
const MIB = 1024 * 1024;
const SIZE = 32 * MIB;
const GOAL = 1.5 * 1024 * MIB;

/** Returns a text that repeats `unit` between `before` and `after` up to the size of the body. */
const filled = (before: string, unit: string, after: string): string => {
  const room = SIZE - before.length - after.length;
  return before + unit.repeat(Math.floor(room / unit.length)).slice(0, -1) + after;
};

const fullDebts = (clientId: string): string =>
  JSON.stringify({
    clientId,
    debts: Array.from({ length: 49_000 }, (_, n) => debtInput(n + 1, { remark: 'x'.repeat(460) })),
  });

const brokenDebts = (clientId: string): string =>
  JSON.stringify({ clientId, debts: Array.from({ length: 50_000 }, () => ({ remark: 'x'.repeat(640) })) });

const csv = (): string => {
  const lines = Array.from({ length: 49_000 }, (_, n) => {
    const debt = debtInput(n + 1);
    return `${debt.debtorName};${debt.debtorPhone};${debt.debtorCpf};150,75;05/10/2026;${debt.invoiceId};${'x'.repeat(530)}`;
  });
  return `nome;telefone;cpf;valor;vencimento;fatura;obs\n${lines.join('\n')}\n`;
};

interface Kind {
  readonly name: string;
  readonly path: 'json' | 'csv';
  readonly body: (clientId: string) => string;
}

const KINDS: readonly Kind[] = [
  { name: '49,000 debts as JSON', path: 'json', body: fullDebts },
  { name: '49,000 debts as CSV', path: 'csv', body: csv },
  { name: '50,000 broken elements', path: 'json', body: brokenDebts },
  { name: 'empty objects', path: 'json', body: (id) => filled(`{"clientId":"${id}","debts":[`, '{},', ']}') },
  { name: 'one element of lists', path: 'json', body: (id) => filled(`{"clientId":"${id}","debts":[[`, '[],', ']]}') },
  { name: 'lists beside the debts', path: 'json', body: (id) => filled(`{"clientId":"${id}","a":[`, '[],', ']}') },
];

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
try {
  await migrate(postgres.url);
  for (const { name, path, body } of KINDS) {
    const api = await startApiProcess(postgres.url);
    try {
      const authorization = `Bearer ${api.token}`;
      const made = await fetch(`${api.url}/api/campaigns`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"name":"Bench"}',
      });
      const { id } = (await made.json()) as { id: string };
      const text = new Blob([body(api.clientId)]);
      const send = async (): Promise<string> => {
        const form = new FormData();
        form.set('file', text, 'debts.csv');
        const sent: RequestInit =
          path === 'csv'
            ? { headers: { authorization }, body: form }
            : { headers: { authorization, 'content-type': 'application/json' }, body: text };
        try {
          const answer = await fetch(`${api.url}/api/import/${path}/${id}`, { method: 'POST', ...sent });
          await answer.arrayBuffer();
          return String(answer.status);
        } catch {
          return 'cut off';
        }
      };
      const start = performance.now();
      const { peak, result } = await peakRss(api.pid, () => Promise.all(Array.from({ length: PARALLEL }, send)));
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const counts = Object.entries(Object.groupBy(result, (one) => one)).map(
        ([one, all]) => `${all!.length} × ${one}`,
      );
      const verdict = peak < GOAL ? 'under' : 'OVER';
      report(
        `${name} (${(text.size / MIB).toFixed(1)} MiB × ${PARALLEL}): ${(peak / MIB).toFixed(0)} MiB at most, ${verdict} 1.5 GB, in ${seconds} s: ${counts.join(', ')}`,
        {
          name: `memory of imports of ${name}`,
          value: peak / MIB,
          unit: 'MiB',
          better: 'less',
          goal: { of: 'value', limit: GOAL / MIB },
        },
      );
    } finally {
      api.stop();
    }
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
