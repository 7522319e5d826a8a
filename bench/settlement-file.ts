/**
 * `node bench/settlement-file.ts [rows] [rounds]` sends files of payments with `checkOnly` to an API that does nothing
 * else, as a CSV, a workbook and a return file CNAB 240, and measures how long each takes and how long it keeps the event
 * loop. The goal is at most 50 ms on the event loop.
 */
import { toReais } from '../src/kernel/money.ts';
import { debtInputs } from '../testing/debts.ts';
import { cnab240 } from '../testing/payment-files.ts';
import { writeWorkbook } from '../testing/workbook.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';
import { withWatchedApi } from './support/watched-api.ts';

const ROWS = Number(process.argv[2] ?? sized(50_000, 5_000));
const ROUNDS = Number(process.argv[3] ?? sized(3, 1));
const PER_IMPORT = 10_000;
const LIMIT_MS = 50;

await withWatchedApi(async ({ url, clientId, token, call, readLoop }) => {
  const { id: campaignId } = await call<{ id: string }>('POST', '/api/campaigns', { name: 'Bench' });
  const debts = debtInputs(ROWS).map((debt, n) => ({ ...debt, invoiceId: `FAT${n}` }));
  for (let from = 0; from < ROWS; from += PER_IMPORT) {
    await call('POST', `/api/import/json/${campaignId}`, { clientId, debts: debts.slice(from, from + PER_IMPORT) });
  }
  const table = debts.map(({ invoiceId, originalAmount }) => [invoiceId, '25/11/2026', originalAmount] as const);
  const files: Readonly<Record<string, Buffer>> = {
    CSV: Buffer.from(
      ['Fatura;Data do pagamento;Valor pago']
        .concat(table.map(([invoice, day, reais]) => `${invoice};${day};${reais.toFixed(2).replace('.', ',')}`))
        .join('\n'),
    ),
    XLSX: await writeWorkbook({ Pagamentos: [['Fatura', 'Data do pagamento', 'Valor pago'], ...table] }),
    'CNAB 240': Buffer.from(
      cnab240(
        debts.map(({ invoiceId, originalAmount }) => ({
          movement: '06',
          title: invoiceId,
          centavos: Math.round(originalAmount * 100),
        })),
      ).join('\r\n'),
    ),
  };
  const amount = toReais(debts.reduce((sum, { originalAmount }) => sum + Math.round(originalAmount * 100), 0));
  for (const [format, bytes] of Object.entries(files)) {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const form = new FormData();
      form.set('file', new Blob([Uint8Array.from(bytes)]), 'file');
      await readLoop();
      const start = performance.now();
      const answer = await fetch(`${url}/api/settlements/file?checkOnly=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      const text = await answer.text();
      const seconds = (performance.now() - start) / 1_000;
      const loop = await readLoop();
      const found = JSON.parse(text) as { readonly matched: number; readonly amount: number };
      if (found.matched !== ROWS || found.amount !== amount) throw new Error(`${format}: ${text.slice(0, 400)}`);
      report(
        `${format}, ${ROWS} rows, ${(bytes.length / 1e6).toFixed(1)} MB: ${seconds.toFixed(2)} s; event loop longest ${loop.longest.toFixed(0)} ms (${loop.longestCpu.toFixed(0)} ms of CPU; goal: ${LIMIT_MS} ms), p99 ${loop.p99.toFixed(0)} ms`,
        ...(round === ROUNDS
          ? [
              { name: `${format} of payments`, value: seconds, unit: 's', better: 'less' as const },
              {
                name: `CPU of one turn of the event loop, ${format} of payments`,
                value: loop.longestCpu,
                unit: 'ms',
                better: 'less' as const,
                goal: { of: 'value' as const, limit: LIMIT_MS },
              },
            ]
          : []),
      );
    }
  }
});
