import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The most characters of a secret that is typed or passed by a pipe. */
const LONGEST = 1_024;

/** Returns one line of standard input, or '' without one. A terminal shows the question but not the typed text. */
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
