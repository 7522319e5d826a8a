import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import { type CustomTypesConfig, Pool, types } from 'pg';
import type { AddCount } from '../../kernel/ports/counts.ts';
import { AfterCommit } from './after-commit.ts';
import { bindSessionContext, bindTransactions } from './bind-transactions.ts';
import { ormConfig } from './orm-config.ts';
import { OutboxNotifier } from './outbox-notifier.ts';
import { nameRepeatedStatements, refuseStatements } from './pooled-statements.ts';
import type { NamedStatement } from './queries/builder.ts';
import type { SignScope } from './scope-signer.ts';
import { type PoolRole, refuseRoleThatSeesAll, servingAccess } from './serving-access.ts';
import { releaseLostConnections, shareConnections } from './share-connections.ts';
import { runScoped, type Scope, type SignHere, sessionVariables } from './statement.ts';
import type { Tx } from './tx.ts';

const INT8 = 20;
const DATE = 1082;

/**
 * Raw SQL returns the same types as the ORM's entities: bigint as number (money fits in 2^53), timestamptz as Date, and
 * date as text. MikroORM's own setting returns moments as text, but it accepts these types as well.
 */
const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return types.getTypeParser(oid, format);
    if (oid === INT8) return Number;
    if (oid === DATE) return String;
    return types.getTypeParser(oid);
  }) as typeof types.getTypeParser,
};

/** How long a request waits for a free connection before it is answered `unavailable`. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the largest import takes. A statement that hangs would otherwise keep its locks for ever. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** How many connections of its own the look-ups have: they are short, and one statement answers many callers. */
const lookupsOf = (poolSize: number): number => Math.max(2, Math.ceil(poolSize / 4));

export interface DatabaseOptions {
  /** The URL of the database's owner, who knows the serving logins, or of the role's own login. */
  readonly url: string;
  readonly role: PoolRole;
  readonly poolSize?: number;
  readonly connectTimeoutMs?: number;
  /** The client for whom a connection is wanted now: no client keeps the others from theirs. */
  readonly ownerOf?: () => string | undefined;
  /** The role of that client's member, for whom the code works now; undefined where it works for no request. */
  readonly roleOf?: () => string | undefined;
  /** The id of that member. */
  readonly memberOf?: () => string | undefined;
  /** How far the clock of the service is ahead of real time: `CLOCK_OFFSET`. */
  readonly clockOffsetMs?: number;
  /** Is called with each count of a transaction that has committed: see `add-count.ts`. */
  readonly addCount?: AddCount;
  /** Writes the driver's messages about lost connections, which contain no values. */
  readonly log?: (message: string) => void;
}

export interface Database {
  readonly orm: MikroORM;
  readonly pool: Pool;
  readonly role: PoolRole;
  /** The URL of the login that serves, for a separate connection. */
  readonly url: string;
  /** Signs a scope for one transaction. */
  readonly signScope: SignScope;
  /** Reads and writes rows of one client. Each call is a new unit of work. */
  tenant(clientId: string): Tx;
  /** Reads the rows of one debt for a public page. */
  debt(debtId: string): Tx;
  /** Reads clients before the client is known, for sign-up, login and authentication. */
  auth(): Tx;
  /** Does both: what opens, proves and closes the access to one client's account. */
  account(clientId: string): Tx;
  /** Reads and writes what belongs to operators, and no row of a client. */
  operators(): Tx;
  /** What an operator decides about one client. */
  operatorOn(clientId: string): Tx;
  /** Has no client: it reaches tables without row security, and `quita_worker` looks for work across clients. */
  system(): Tx;
  /** Runs one prepared statement under row security in one round trip, for hot paths. */
  readPrepared<Params extends object, Row extends object>(
    scope: Scope,
    query: NamedStatement<Params, Row>,
    params: Params,
  ): Promise<Row[]>;
  /** The same, allowed to write. The caller calls `notifyOutbox` after a statement that wrote an outbox row. */
  writePrepared<Params extends object, Row extends object>(
    scope: Scope,
    query: NamedStatement<Params, Row>,
    params: Params,
  ): Promise<Row[]>;
  /**
   * Runs one prepared statement without a scope: it calls a routine of `src/platform/database/routines`, which checks by itself what the
   * caller may see and do, or it reaches a table without row security.
   */
  runUnscoped<Params extends object, Row extends object>(
    query: NamedStatement<Params, Row>,
    params: Params,
  ): Promise<Row[]>;
  /** Runs one such statement in a transaction, for a routine whose parameters hold signed scopes. */
  runSigned<Params extends object, Row extends object>(
    query: NamedStatement<Params, Row>,
    paramsOf: (sign: SignHere) => Params,
  ): Promise<Row[]>;
  notifyOutbox(): void;
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface AfterCommits {
  readonly afterCommit: AfterCommit;
  readonly notifyOutbox: () => void;
  readonly addCount: AddCount | undefined;
}

const afterCommits = new WeakMap<object, AfterCommits>();

/** Returns what can follow a commit in the database that `tx` belongs to. */
export function afterCommitOf(tx: Tx): AfterCommits {
  const found = afterCommits.get(tx.config);
  if (found === undefined) throw new Error('This EntityManager does not come from openDatabase');
  return found;
}

function serverOptions(url: string, role: PoolRole, clockOffsetMs: number): string {
  const given = new URL(url).searchParams.get('options');
  const own = [
    // The operator's commands use the owner's login. Every other login belongs to its role and can become no other role.
    ...(role === 'quita_operator' ? [`-c role=${role}`] : []),
    `-c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    `-c idle_in_transaction_session_timeout=${STATEMENT_TIMEOUT_MS}`,
    ...(clockOffsetMs === 0 ? [] : [`-c quita.clock_offset_ms=${clockOffsetMs}`]),
  ];
  return [...(given === null ? [] : [given]), ...own].join(' ');
}

function withOptions(url: string, options: string): string {
  const result = new URL(url);
  result.searchParams.set('options', options);
  // pg decodes %20 but not the + that URLSearchParams writes for a space.
  result.search = result.search.replaceAll('+', '%20');
  return result.href;
}

export async function openDatabase({
  url: given,
  role,
  poolSize = 10,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  clockOffsetMs = 0,
  addCount,
  ownerOf = () => undefined,
  roleOf = () => undefined,
  memberOf = () => undefined,
  log = () => {},
}: DatabaseOptions): Promise<Database> {
  const { url, sign } = await servingAccess(given, role);
  const nativePool = (): Promise<Pool> => (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();
  const notifier = new OutboxNotifier(nativePool, log);
  const afterCommit = new AfterCommit();
  const prepare = (created: Pool): void => {
    created.options.types = COLUMN_TYPES;
    releaseLostConnections(created);
    nameRepeatedStatements(created);
    bindTransactions(created, sign);
    // Text from outside reaches the statements of the API alone.
    if (role === 'quita_app') refuseStatements(created);
  };
  const connection = {
    connectionString: withOptions(url, serverOptions(url, role, clockOffsetMs)),
    application_name: role,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    pipeline: true,
  };
  const orm = await MikroORM.init(
    ormConfig({
      clientUrl: url,
      pool: { min: 0, max: poolSize },
      logger: log,
      subscribers: [afterCommit],
      driverOptions: {
        ...connection,
        onPoolCreated: (created: Pool) => {
          prepare(created);
          shareConnections(created, { ownerOf, timeoutMs: connectTimeoutMs });
        },
      },
    }),
  );
  bindSessionContext(orm);
  afterCommits.set(orm.config, { afterCommit, notifyOutbox: notifier.notify, addCount });
  const pool = await nativePool();
  try {
    await refuseRoleThatSeesAll(pool, role);
  } catch (error) {
    await orm.close(true);
    throw error;
  }
  // Look-ups that come before the client is known never share a connection with the statements of a client.
  const lookups = role === 'quita_app' ? new Pool({ ...connection, min: 0, max: lookupsOf(poolSize) }) : pool;
  if (lookups !== pool) {
    lookups.on('error', () => {});
    prepare(lookups);
  }
  const poolOf = ({ clientId, debtId, receiptProtocol }: Scope): Pool =>
    clientId === undefined && debtId === undefined && receiptProtocol === undefined ? lookups : pool;
  /** The transactions of a request for its own client name the member, and say where it is an owner. */
  const inRequest = (scope: Scope): Scope => {
    if (scope.clientId === undefined || scope.clientId !== ownerOf()) return scope;
    const member = memberOf();
    return {
      ...scope,
      ...(member === undefined ? {} : { member }),
      ...(roleOf() === 'owner' ? { role: 'owner' } : {}),
    };
  };
  const fork = (scope: Scope): Tx => orm.em.fork({ session: { variables: sessionVariables(scope) } });
  return {
    orm,
    pool,
    role,
    url,
    signScope: sign,
    tenant: (clientId) => fork(inRequest({ clientId })),
    debt: (debtId) => fork({ debtId }),
    auth: () => fork({ auth: true }),
    account: (clientId) => fork(inRequest({ clientId, auth: true })),
    operators: () => fork({ operator: true }),
    operatorOn: (clientId) => fork({ clientId, auth: true, operator: true }),
    system: () => orm.em.fork(),
    readPrepared: async (scope, query, params) => {
      const values = query.valuesOf(params);
      return query.rowsOf(
        await runScoped({ pool: poolOf(scope), sign }, scope, query, () => values, 'begin read only'),
      );
    },
    writePrepared: async (scope, query, params) => {
      const values = query.valuesOf(params);
      const access = { pool: poolOf(scope), sign };
      return query.rowsOf(await runScoped(access, inRequest(scope), query, () => values, 'begin'));
    },
    runSigned: async (query, paramsOf) => {
      const valuesOf = (signHere: SignHere) => query.valuesOf(paramsOf(signHere));
      return query.rowsOf(await runScoped({ pool: lookups, sign }, {}, query, valuesOf, 'begin'));
    },
    runUnscoped: async (query, params) => {
      const { rows } = await lookups.query<object>({
        name: query.name,
        text: query.text,
        values: query.valuesOf(params),
      });
      return query.rowsOf(rows);
    },
    notifyOutbox: notifier.notify,
    ping: async () => {
      await pool.query('select 1');
    },
    close: async () => {
      await notifier.close();
      if (lookups !== pool && !lookups.ending) await lookups.end();
      await orm.close(true);
    },
  };
}
