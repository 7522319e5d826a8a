import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../kernel/errors.ts';

export const BUILT_CONSOLE = fileURLToPath(new URL('../../../build/web', import.meta.url));

/** The first segments of the console's addresses. The page itself decides what it shows below them. */
export const CONSOLE_SEGMENTS = [
  'entrar',
  'criar-conta',
  'esqueci',
  'campanhas',
  'atendimento',
  'dividas',
  'recibos',
  'recebidos',
  'simulador',
  'regras',
  'encargos',
  'ofertas',
  'acordos',
  'conta',
] as const;

/** Where the page of the operators' console is. */
const OPERATORS = '/operador';

const FILES = '/console/';
const PAGE = 'index.html';
/** The page of the operators' console, which shares files with the other one and none of its sessions. */
const OPERATORS_PAGE = 'operador.html';
const PAGES = [PAGE, OPERATORS_PAGE];
/** The build names the files of this folder by a hash of their content, so that a name never gets another content. */
const HASHED = 'assets/';
const FOREVER = 'public, max-age=31536000, immutable';

/** The API's policy, and no script may turn a text into HTML or code. */
const TRUSTED_TYPES = "require-trusted-types-for 'script';trusted-types 'none'";

/** What the build writes beside a file, the smallest first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

interface ConsoleFile {
  readonly extension: string;
  readonly hash: string;
  readonly bytes: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** The built console by the names of its files. */
export type Console = ReadonlyMap<string, ConsoleFile>;

/** Reads the built console into memory. Returns `undefined` when it is not built. */
export async function readConsole(folder = BUILT_CONSOLE): Promise<Console | undefined> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const read = await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path)] as const),
    );
    const contents = new Map(read);
    const endings = Object.values(ENCODINGS);
    const names = [...contents.keys()].filter((name) => !endings.some((ending) => name.endsWith(ending)));
    return PAGES.every((page) => contents.has(page))
      ? new Map(names.map((name) => [name, fileOf(name, contents)]))
      : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function fileOf(name: string, contents: ReadonlyMap<string, Buffer>): ConsoleFile {
  const bytes = contents.get(name)!;
  const encoded = Object.entries(ENCODINGS).flatMap(([encoding, ending]) => {
    const found = contents.get(name + ending);
    return found === undefined ? [] : [[encoding, found] as const];
  });
  return {
    extension: extname(name),
    hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    bytes,
    encoded: Object.fromEntries(encoded),
  };
}

/**
 * Serves the console: its page at `/` and below its own first segments, its files below `/console/`; and the page of the
 * operators' console. They are pages for people, so they do not stand in the OpenAPI document.
 */
export function addConsole(routerAt: (path: string) => Router, files: Console | undefined): void {
  const addPage = (path: string, page: string): void => {
    routerAt(path).register(`${path}{/*rest}`, ['GET'], servePage(path, page, files));
  };
  routerAt('/').register('/', ['GET'], servePage('/', PAGE, files), { strict: true });
  for (const segment of CONSOLE_SEGMENTS) addPage(`/${segment}`, PAGE);
  addPage(OPERATORS, OPERATORS_PAGE);
  routerAt(FILES).register(`${FILES}*file`, ['GET'], serveFile(files));
}

function servePage(route: string, page: string, files: Console | undefined): Middleware {
  return (ctx) => {
    ctx.state['route'] = route;
    // These problems are for operators and programs; the page itself shows readers what is wrong.
    ctx.state['isPage'] = false;
    if (files === undefined) {
      throw new AppError('not_found', { detail: 'The console is not built: run `node scripts/build-web.ts`.' });
    }
    ctx.vary('Accept');
    // A program that asks for JSON looks for the API, which has nothing at these addresses.
    if (ctx.accepts('html', 'json') !== 'html') {
      throw new AppError('not_found', {
        detail: 'This is the address of a page; the API is described by /openapi.json.',
      });
    }
    // A 304 has this header too, because browsers replace the stored one by it.
    ctx.set('Content-Security-Policy', `${ctx.response.get('Content-Security-Policy')};${TRUSTED_TYPES}`);
    ctx.set('Cache-Control', 'no-cache');
    send(ctx, files.get(page)!);
  };
}

function serveFile(files: Console | undefined): Middleware {
  return (ctx) => {
    ctx.state['route'] = `${FILES}*`;
    const name = ctx.path.slice(FILES.length);
    const file = PAGES.includes(name) ? undefined : files?.get(name);
    if (file === undefined) throw new AppError('not_found');
    ctx.set('Cache-Control', name.startsWith(HASHED) ? FOREVER : 'no-cache');
    send(ctx, file);
  };
}

function send(ctx: Context, { extension, hash, bytes, encoded }: ConsoleFile): void {
  ctx.vary('Accept-Encoding');
  const names = Object.keys(ENCODINGS) as Encoding[];
  const encoding = names.find((name) => encoded[name] !== undefined && ctx.acceptsEncodings(name) === name);
  ctx.status = 200;
  ctx.set('ETag', `"${hash}${encoding === undefined ? '' : `-${encoding}`}"`);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = extension;
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  ctx.body = encoding === undefined ? bytes : encoded[encoding]!;
}
