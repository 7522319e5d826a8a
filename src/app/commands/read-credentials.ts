import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { z } from 'zod';

/** The most characters of one answer. */
const MAX_ANSWER_LENGTH = 4_096;

/** Asks several questions on the terminal, which does not show the answers, or reads the lines of standard input. */
async function askSecrets<Name extends string>(
  questions: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY === true });
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    process.stderr.write(`${question}: `);
    const line = await lines.next();
    process.stderr.write('\n');
    return line.done === true ? '' : line.value.slice(0, MAX_ANSWER_LENGTH).trim();
  };
  try {
    const answers: Partial<Record<Name, string>> = {};
    for (const name of Object.keys(questions) as Name[]) answers[name] = await ask(questions[name]);
    return answers as Record<Name, string>;
  } finally {
    terminal.close();
  }
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
