import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The most characters of one answer. */
const LONGEST = 4_096;

/** Asks several questions on the terminal, which does not show the answers, or reads the lines of standard input. */
export async function askSecrets<Name extends string>(
  questions: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY === true });
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    process.stderr.write(`${question}: `);
    const line = await lines.next();
    process.stderr.write('\n');
    return line.done === true ? '' : line.value.slice(0, LONGEST).trim();
  };
  try {
    const answers: Partial<Record<Name, string>> = {};
    for (const name of Object.keys(questions) as Name[]) answers[name] = await ask(questions[name]);
    return answers as Record<Name, string>;
  } finally {
    terminal.close();
  }
}
