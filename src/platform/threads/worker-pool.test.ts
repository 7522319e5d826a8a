import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

const dataUrl = (program: string): URL => new URL(`data:text/javascript,${encodeURIComponent(program)}`);

/** Answers with the id of its thread, its environment and the text, except where the text says otherwise. */
const program = (announces: boolean): string => `
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', (text) => {
    if (text === 'hang') for (;;);
    if (text === 'exit') process.exit(1);
    if (text === 'throw') throw new Error('quotes the job');
    if (text !== 'first') parentPort.postMessage({ text, threadId, env: Object.keys(process.env) });
  });
  ${announces ? "parentPort.postMessage('ready');" : ''}`;

interface Answer {
  readonly text: string;
  readonly threadId: number;
  readonly env: readonly string[];
}

const open: WorkerPool<unknown, Answer>[] = [];
function pool(options: Partial<Parameters<typeof createWorkerPool<unknown, Answer>>[0]> = {}) {
  const created = createWorkerPool<unknown, Answer>({
    workerUrl: dataUrl(program(options.announces ?? false)),
    threads: 1,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    timeoutMs: 600_000,
    ...options,
  });
  open.push(created);
  return created;
}
const threadOf = async (of: WorkerPool<unknown, Answer>): Promise<number> => (await of.run(['a'])).threadId;
const settled = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
afterEach(async () => {
  for (const one of open.splice(0)) await one.close('abandon');
});

describe('a pool of worker threads', () => {
  it('gives all messages of a job to one thread without the environment, and keeps the thread', async () => {
    const threads = pool();
    const answer = await threads.run(['first', 'second']);
    expect(answer).toMatchObject({ text: 'second', env: [] });
    expect(await threadOf(threads)).toBe(answer.threadId);
  });

  it.each(['exit', 'throw'])('replaces a thread that crashes (%s), and does not repeat its words', async (text) => {
    const threads = pool();
    const before = await threadOf(threads);
    const jobs = [threads.run([text]), threads.run(['after'])];
    await expect(jobs[0]).rejects.toMatchObject({ failure: 'crashed', message: expect.not.stringContaining('quotes') });
    expect((await jobs[1])!.threadId).not.toBe(before);
  });

  it('tries a job again that crashed its thread, as often as it is told', async () => {
    let read = 0;
    const messages = {
      *[Symbol.iterator]() {
        read += 1;
        yield read === 1 ? 'exit' : 'fine';
      },
    };
    const threads = pool({ attempts: 2 });
    expect(await threads.run(messages)).toMatchObject({ text: 'fine' });
    expect(read).toBe(2);
    read = 0;
    await expect(pool().run(messages)).rejects.toMatchObject({ failure: 'crashed' });
    expect(read).toBe(1);
  });

  it('abandons a job at its time limit, which does not run while the job waits or its thread starts', async () => {
    const threads = pool({ timeoutMs: 300, announces: true });
    const jobs = ['hang', 'hang', 'a'].map((text) => settled(threads.run([text])));
    expect(await Promise.all(jobs)).toMatchObject([{ failure: 'timed_out' }, { failure: 'timed_out' }, { text: 'a' }]);
  });

  it('abandons a job by its signal, while it runs and while it waits', async () => {
    const threads = pool();
    const [running, waits] = [new AbortController(), new AbortController()];
    const jobs = [
      threads.run(['hang'], running.signal),
      threads.run(['hang'], waits.signal),
      threads.run(['a']),
      threads.run(['a'], AbortSignal.abort('too late')),
    ].map(settled);
    waits.abort('waited');
    expect(await jobs[1]).toBe('waited');
    running.abort('ran');
    expect(await Promise.all(jobs)).toMatchObject(['ran', 'waited', { text: 'a' }, 'too late']);
  });

  it('fails a job whose messages cannot be read or sent, and does the next one', async () => {
    const threads = pool();
    const unreadable = async function* () {
      yield 'first';
      throw new Error('no rows');
    };
    await expect(threads.run(unreadable())).rejects.toThrow('no rows');
    await expect(threads.run([() => undefined])).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await threads.run(['a'])).toMatchObject({ text: 'a' });
  });

  it('refuses a job when too many wait', async () => {
    const threads = pool({ maxWaiting: 1 });
    const jobs = ['a', 'b', 'c'].map((text) => settled(threads.run([text])));
    expect(await Promise.all(jobs)).toMatchObject([{ text: 'a' }, { text: 'b' }, { failure: 'full' }]);
  });

  it('ends a thread after its number of jobs, and after an answer that is its last', async () => {
    const recycled = pool({ jobsPerThread: 2 });
    const used = await Promise.all(Array.from({ length: 5 }, () => threadOf(recycled)));
    expect(new Set(used).size).toBe(3);
    const replaced = pool({ endsThread: ({ text }) => text === 'last' });
    const { threadId } = await replaced.run(['last']);
    expect(await threadOf(replaced)).not.toBe(threadId);
  });

  it('fails all jobs when no thread can start, and tries again with the next one', async () => {
    const threads = pool({ announces: true, workerUrl: dataUrl('throw new Error();') });
    for (let time = 0; time < 2; time += 1) {
      const jobs = ['a', 'b'].map((text) => settled(threads.run([text])));
      expect(await Promise.all(jobs)).toMatchObject([{ failure: 'crashed' }, { failure: 'crashed' }]);
    }
  });

  it('starts a thread before the first job when it is told', async () => {
    const threads = pool({ announces: true });
    await threads.warmUp();
    const later = await threadOf(pool());
    expect(await threadOf(threads)).toBeLessThan(later);
  });

  it('replaces a ready thread that failed before the next job comes', async () => {
    const threads = pool({ announces: true });
    await settled(threads.run(['exit']));
    const later = await threadOf(pool());
    expect(await threadOf(threads)).toBeLessThan(later);
  });

  it.each([false, true])(
    'keeps the process alive for a job, and not when it is idle (announces: %s)',
    async (announces) => {
      const script = `
      import { createWorkerPool } from '${new URL('./worker-pool.ts', import.meta.url)}';
      const pool = createWorkerPool({
        workerUrl: new URL(${JSON.stringify(dataUrl(program(announces)).href)}),
        threads: 1, resourceLimits: {}, timeoutMs: 20_000, announces: ${announces},
      });
      console.log((await pool.run(['a'])).text);`;
      const node = ['--input-type=module', '--eval', script];
      expect((await promisify(execFile)(process.execPath, node, { timeout: 20_000 })).stdout).toBe('a\n');
    },
  );

  it('finishes or abandons the jobs of a busy pool that is closed, and accepts no more', async () => {
    const finishing = pool();
    const finished = ['a', 'b'].map((text) => finishing.run([text]));
    const closing = finishing.close('finish');
    await expect(finishing.run(['c'])).rejects.toMatchObject({ failure: 'closed' });
    await closing;
    expect(await Promise.all(finished)).toMatchObject([{ text: 'a' }, { text: 'b' }]);

    const leaving = pool();
    await leaving.run(['a']);
    const left = ['hang', 'b'].map((text) => settled(leaving.run([text])));
    await leaving.close('abandon');
    expect(await Promise.all(left)).toMatchObject([{ failure: 'closed' }, { failure: 'closed' }]);
    await expect(leaving.run(['c'])).rejects.toMatchObject({ failure: 'closed' });
  });
});
