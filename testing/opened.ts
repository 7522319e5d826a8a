import { afterAll } from '@jest/globals';

interface Closable {
  close?(): unknown;
  stop?(): unknown;
  drop?(): unknown;
  clean?(): unknown;
  end?(): unknown;
  remove?(): unknown;
  shutdown?(): unknown;
}

/** As long as jest lets a test run. It limits no code outside tests and hooks. */
const LIMIT_MS = 180_000;
const closings: (() => unknown)[] = [];

async function closeAll(): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
}
afterAll(closeAll);

/**
 * Waits for what a test file opens for all its tests, and closes it after the last one, the newest first. When one of
 * them cannot be opened, those before it are closed at once, because jest runs no hooks of a file that did not load.
 */
export async function opened<T extends object>(opening: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Not open after ${LIMIT_MS} ms`)), LIMIT_MS);
    });
    const thing: T & Closable = await Promise.race([opening, late]);
    const { close, stop, drop, clean, end, remove, shutdown } = thing;
    closings.push(() => (close ?? stop ?? drop ?? clean ?? end ?? remove ?? shutdown)?.call(thing));
    return thing;
  } catch (error) {
    await closeAll();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
