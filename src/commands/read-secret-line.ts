import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** No secret that people type or pass by a pipe is longer. */
const LONGEST = 1_024;

/** One line from standard input, '' when there is none: asked for on a terminal, which does not show what is typed. */
export async function readSecretLine(question: string): Promise<string> {
  const line = process.stdin.isTTY === true ? await askOnTerminal(question) : await readFromPipe();
  return line.trim();
}

async function askOnTerminal(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(`${question}: `);
  try {
    const line = await terminal[Symbol.asyncIterator]().next();
    return line.done === true ? '' : line.value.slice(0, LONGEST);
  } finally {
    process.stderr.write('\n');
    terminal.close();
  }
}

async function readFromPipe(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    const end = text.indexOf('\n');
    if (end !== -1) return text.slice(0, end);
    if (text.length > LONGEST) throw new Error('The line on standard input is too long');
  }
  return text;
}
