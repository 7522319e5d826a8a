import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { streamZip } from '../../src/platform/spreadsheets/stream-zip.ts';
import { startBrowser } from '../../testing/browser.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { violations } from '../../testing/pages.ts';
import { readZip } from '../../testing/read-zip.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';

const app = await opened(startCampaignsApp());
const browser = await opened(startBrowser());
const client = await app.newClient();
const { debtId } = await paidDebt(app.query, client.id);
await client.call('POST', `/api/receipts/${debtId}`);
const answer = await fetch(`${app.url}/api/debts/${debtId}/evidence`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${client.token}` },
});
const genuine = Buffer.from(await answer.arrayBuffer());
const files = readZip(genuine);
const cut = String(files.get('timeline.jsonl')).trim().split('\n').slice(0, -1).join('\n');
const forged = await buffer(
  streamZip(
    Readable.from(
      [...files, ['timeline.jsonl', Buffer.from(`${cut}\n`)] as const]
        .filter(([path, content]) => path !== 'timeline.jsonl' || content !== files.get('timeline.jsonl'))
        .map(([path, content]) => ({ path, content: Readable.from([content]), compress: true })),
    ),
  ),
);

const file = (content: Buffer) => ({ name: 'provas.zip', mimeType: 'application/zip', buffer: content });

describe('the page that checks evidence, in a browser', () => {
  it.each([
    [320, 'light'],
    [1280, 'dark'],
  ] as const)('says what holds and what does not, and sends nothing (%d px, %s)', async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 700 }, colorScheme });
    const sent: string[] = [];
    const broken: string[] = [];
    page.on('request', (request) => {
      if (request.postData() !== null || request.method() !== 'GET') sent.push(request.url());
    });
    page.on('pageerror', (error) => broken.push(error.message));
    await page.goto(`${app.url}/verify-evidence`);
    const input = page.getByLabel('Arquivo de provas (.zip)');
    await input.setInputFiles(file(genuine));
    await page.getByText('As provas são autênticas').waitFor();
    expect(await page.getByText(`Dívida ${debtId}`).isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);

    await input.setInputFiles(file(forged));
    await page.getByText('Não confie neste arquivo').waitFor();
    const reasons = await page.getByRole('listitem').allTextContents();
    expect(reasons).toEqual([
      expect.stringContaining('timeline.jsonl foi mudado'),
      expect.stringContaining('o fim foi cortado'),
    ]);
    expect(await violations(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow).toBe(0);

    await input.setInputFiles(file(Buffer.from('nada')));
    await page.getByText('não é um pacote de provas').waitFor();
    expect([sent, broken]).toEqual([[], []]);
    await page.close();
  });

  it('says without a script that it needs one', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${app.url}/verify-evidence`);
    expect(await page.content()).toContain('precisa de JavaScript');
    await page.close();
  });
});
