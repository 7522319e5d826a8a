import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

/** A regular expression of the service. */
export interface Expression {
  /** The file, with the line of an expression that is built at run time. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The files of these folders have no effects when they are loaded, so expressions that they build can be observed. */
const LOADED = /^src\/(?:kernel\/|modules\/(?:agent\/|[^/]+\/rules\/)|platform\/runtime\/redact\.ts)/;
/** This file starts work when it is loaded, and builds no expression. */
const NOT_LOADED = 'src/modules/agent/adapters/threads/worker.ts';

/** The used members of the syntax tree. */
interface SyntaxNode {
  readonly type?: string;
  readonly pattern?: string;
  readonly flags?: string;
  readonly callee?: { readonly type?: string; readonly value?: string };
}

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) yield value as SyntaxNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

const sourceFiles = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const file of glob('{src,activities,workflows}/**/*.ts', { cwd: ROOT })) found.push(file);
  return found.filter((file) => !file.endsWith('.test.ts')).sort();
};

const buildsExpressions = ({ type, callee }: SyntaxNode): boolean =>
  (type === 'NewExpression' || type === 'CallExpression') && callee?.type === 'Identifier' && callee.value === 'RegExp';

/** Records the expressions that are built while `load` runs, with the position in our own files. */
const watchConstructor = async (load: () => Promise<void>): Promise<Expression[]> => {
  const seen: Expression[] = [];
  const Real = globalThis.RegExp;
  const note = (args: readonly unknown[]): void => {
    const caller = new Error('for its stack').stack?.split('\n')[3] ?? '';
    const at = /\/((?:src|activities|workflows)\/[^:)]+:\d+)/.exec(caller);
    if (at === null || !caller.includes(ROOT)) return;
    const [pattern, flags] = args;
    const source = pattern instanceof Real ? pattern.source : String(pattern);
    seen.push({ at: at[1]!, source, flags: typeof flags === 'string' ? flags : '' });
  };
  globalThis.RegExp = new Proxy(Real, {
    construct: (target, args, newTarget) => {
      note(args);
      return Reflect.construct(target, args, newTarget);
    },
    apply: (target, self, args) => {
      note(args);
      return Reflect.apply(target, self, args);
    },
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = Real;
  }
  return seen;
};

export interface Collected {
  readonly written: readonly Expression[];
  readonly built: readonly Expression[];
  /** Files that build expressions after they were loaded, which cannot be checked. */
  readonly unseen: readonly string[];
}

/** Returns every regular expression of `src`, `activities` and `workflows`, written out or built from word lists. */
export async function collectExpressions(): Promise<Collected> {
  const files = await sourceFiles();
  const written: Expression[] = [];
  const building = new Map<string, number>();
  for (const file of files) {
    const tree = parseSync(readFileSync(join(ROOT, file), 'utf8'), { syntax: 'typescript', target: 'es2024' });
    for (const node of nodesOf(tree)) {
      if (node.type === 'RegExpLiteral') written.push({ at: file, source: node.pattern!, flags: node.flags ?? '' });
      if (buildsExpressions(node)) building.set(file, (building.get(file) ?? 0) + 1);
    }
  }
  const built = await watchConstructor(async () => {
    const loaded = files.filter((file) => file !== NOT_LOADED && LOADED.test(file));
    for (const file of loaded) await import(join(ROOT, file));
  });
  const unseen = [...building].filter(([file, places]) => {
    const lines = new Set(built.filter(({ at }) => at.startsWith(`${file}:`)).map(({ at }) => at));
    return lines.size < places;
  });
  return { written, built, unseen: unseen.map(([file]) => file) };
}
