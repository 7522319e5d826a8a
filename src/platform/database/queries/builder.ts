import type { InferKyselyDB } from '@mikro-orm/postgresql';
import {
  CamelCasePlugin,
  type Compilable,
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { ENTITIES } from '../../../modules/tables.ts';
import type { Tx } from '../tx.ts';

// Plain keys, because what MikroORM infers renames keys, which the compiler would do anew for each mention of a column:
// checking all types took more than twice the time.
type Inferred = InferKyselyDB<(typeof ENTITIES)[number], { columnNamingStrategy: 'property' }>;
type Plain<Row, Column extends keyof Row> = { [Each in Column]: Row[Each] };
type PlainTables<Table extends keyof Inferred> = { [Each in Table]: Plain<Inferred[Each], keyof Inferred[Each]> };

/** The tables as the entities declare them, with the properties' names: a renamed column does not compile. */
export interface Tables extends PlainTables<keyof Inferred> {}

// MikroORM's own naming plugin does not translate columns of aliased updates and of common table expressions.
const propertyNames = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** The query builder in the transaction of `tx`. Outside of one, MikroORM would not set the tenant. */
export function queriesIn(tx: Tx): Kysely<Tables> {
  return openTransaction(tx).withPlugin(propertyNames) as unknown as Kysely<Tables>;
}

function openTransaction(tx: Tx): Kysely<Tables> {
  if (!tx.isInTransaction()) throw new Error('Statements run inside tx.transactional only');
  return tx.getKysely<Tables>() as unknown as Kysely<Tables>;
}

/** Compiles only: it has no connection. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [propertyNames],
});

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A statement that was compiled once. PostgreSQL plans it once for each connection, under its name. */
export interface NamedStatement<Params extends object, Row extends object> {
  readonly name: string;
  readonly text: string;
  valuesOf(params: Params): unknown[];
  /** Gives the columns of the driver's rows the names of the properties. */
  rowsOf(rows: readonly object[]): Row[];
}

export interface PreparedQuery<Params extends object, Row extends object> extends NamedStatement<Params, Row> {
  /** Runs it in an open transaction, without composing it again for each call. */
  run(tx: Tx, params: Params): Promise<Row[]>;
}

export type RowOf<Query> = Query extends PreparedQuery<never, infer Row> ? Row : never;

/**
 * Prepares a statement for a hot path, in a transaction with others (`run`) or alone (`Database.readPrepared`). `build` gets placeholders in place of values, so it may use them in expressions
 * but must not look at them. The name belongs to one text and has at most 63 bytes.
 */
export function prepared<Params extends object, Row extends object>(
  name: string,
  build: (queries: Kysely<Tables>, params: Params) => Compilable<Row>,
): PreparedQuery<Params, Row> {
  const placeholders = new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as Params;
  const { sql: text, parameters } = build(compiler, placeholders).compile();
  const valuesOf = (params: Params): unknown[] =>
    parameters.map((value) => (value instanceof Placeholder ? params[value.name as keyof Params] : value));
  const rowsOf = createRenaming<Row>();
  return {
    name,
    text,
    valuesOf,
    rowsOf,
    run: async (tx, params) => {
      const { rows } = await openTransaction(tx).executeQuery<object>(CompiledQuery.raw(text, valuesOf(params)));
      return rowsOf(rows);
    },
  };
}

const propertyNameOf = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Gives the rows of a statement that stands in another one, as JSON, the names of the properties. JSON has moments as
 * text, so the caller names their properties.
 */
export const rowsOfJson = <Row extends object>(rows: readonly object[], moments: readonly (keyof Row)[] = []): Row[] =>
  rows.map((row) => {
    const renamed = Object.fromEntries(
      Object.entries(row).map(([column, value]) => [propertyNameOf(column), value]),
    ) as Record<keyof Row, unknown>;
    for (const moment of moments) {
      const text = renamed[moment];
      if (typeof text === 'string') renamed[moment] = new Date(text);
    }
    return renamed as Row;
  });

/** A statement always has the same columns, so their names are translated once, with its first row. */
function createRenaming<Row extends object>(): (rows: readonly object[]) => Row[] {
  let columns: readonly string[] | undefined;
  let names: readonly string[] = [];
  return (rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    if (columns === undefined) {
      columns = Object.keys(first);
      names = columns.map(propertyNameOf);
    }
    const renamed: Row[] = [];
    for (const row of rows as readonly Record<string, unknown>[]) {
      const result: Record<string, unknown> = {};
      for (let index = 0; index < columns.length; index += 1) result[names[index]!] = row[columns[index]!];
      renamed.push(result as Row);
    }
    return renamed;
  };
}

/** The moment at which the transaction began, by the clock of the database, shifted by `CLOCK_OFFSET`. */
export const NOW = sql<Date>`quita_now()`;

/**
 * The member for whose request the transaction runs, for a column that has no default of `writtenBy` because its row is of
 * others too, or one of very many: PostgreSQL reads the setting once for each statement.
 */
export const ACTING_MEMBER = sql<string | null>`(select quita_scope('app.member'))::uuid`;

/** Is true for an inbox item that the staff have to look at now: it is neither snoozed nor waits for the debtor. */
export const IS_AWAKE = sql<boolean>`(inbox_items.snoozed_until is null or inbox_items.snoozed_until <= quita_now())
  and (inbox_items.waiting_until is null or inbox_items.waiting_until <= quita_now())`;

/** Values that are bound as one parameter, or an expression for them. */
export type Values = readonly string[] | RawBuilder<readonly string[]>;

/** `= any` of an array, so that the text does not depend on its length. */
export const anyOf = (values: Values, type: 'uuid' | 'text'): RawBuilder<string> =>
  sql<string>`any(${values}::${sql.raw(type)}[])`;

/**
 * The array of one value. PostgreSQL takes a bound array for ten values, so that it would plan a statement for one anew each
 * time.
 */
export const onlyOf = (value: string): RawBuilder<readonly string[]> => sql`array[${value}]`;
