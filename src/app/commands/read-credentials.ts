import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { z } from 'zod';

/** The most characters of a line that is typed or passed by a pipe. */
const MAX_LINE_LENGTH = 4_096;

/**
 * Asks questions in turn and reads a line of standard input for each, or '' without one. A terminal does not show the
 * answers. An empty question is not written.
 */
export async function askSecrets<Name extends string>(
  questions: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  const lines = process.stdin.isTTY === true ? typedLines() : pipedLines();
  const answers: Partial<Record<Name, string>> = {};
  try {
    for (const name of Object.keys(questions) as Name[]) {
      if (questions[name] !== '') process.stderr.write(`${questions[name]}: `);
      answers[name] = ((await lines.next()).value ?? '').trim();
      if (questions[name] !== '') process.stderr.write('\n');
    }
  } finally {
    await lines.return(undefined);
  }
  return answers as Record<Name, string>;
}

async function* typedLines(): AsyncGenerator<string, undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    for await (const line of terminal) yield line.slice(0, MAX_LINE_LENGTH);
  } finally {
    terminal.close();
  }
}

async function* pipedLines(): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
    if (text.length > MAX_LINE_LENGTH) throw new Error('The line on standard input is too long');
  }
  yield text;
}

export interface CredentialForm<Value, Name extends string> {
  /** The member of the file that holds the credentials. */
  readonly member: string;
  readonly schema: z.ZodType<Value>;
  /** What the file looks like, for the message that refuses another one. */
  readonly example: string;
  /** What is asked on the terminal, in order. An empty answer counts as absent. */
  readonly questions: Readonly<Record<Name, string>>;
}

/** Reads credentials from a JSON file, or asks for them. No message repeats a value, because terminals and logs keep it. */
export async function readCredentials<Value, Name extends string>(
  { member, schema, example, questions }: CredentialForm<Value, Name>,
  file: string | undefined,
): Promise<Value> {
  const given = file === undefined ? await asked(questions) : memberOf(await readJson(file), member);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const wrong = [...new Set(result.error.issues.map(({ path }) => path.join('.')))].filter((name) => name !== '');
  const which = wrong.length === 0 ? '' : ` (wrong or missing: ${wrong.join(', ')})`;
  throw new Error(
    file === undefined ? `These are no usable credentials${which}` : `${file} must be ${example}${which}`,
  );
}

async function asked<Name extends string>(questions: Readonly<Record<Name, string>>): Promise<object> {
  const answers = Object.entries(await askSecrets(questions));
  return Object.fromEntries(answers.filter(([, answer]) => answer !== ''));
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
}

const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
