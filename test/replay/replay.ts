import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import proto from '@temporalio/proto';
import { type ReplayResult, Worker, type WorkflowBundleOption } from '@temporalio/worker';

export const HISTORIES = fileURLToPath(new URL('./histories', import.meta.url));

/** Replays saved histories on the present workflows; a result with an error is a run that would fail. */
export async function replay(bundle: WorkflowBundleOption, files: readonly string[]): Promise<ReplayResult[]> {
  const histories = await Promise.all(
    files.map(async (file) => ({
      workflowId: file,
      history: proto.temporal.api.history.v1.History.fromObject(
        JSON.parse(await readFile(`${HISTORIES}/${file}`, 'utf8')),
      ),
    })),
  );
  const results: ReplayResult[] = [];
  for await (const result of Worker.runReplayHistories({ workflowBundle: bundle }, histories)) results.push(result);
  return results;
}

export const savedHistories = async (): Promise<string[]> =>
  (await readdir(HISTORIES)).filter((file) => file.endsWith('.json')).sort();
