import { isField, looksLikeData, type Mapping } from './fields.ts';

const KEY = 'quita-import';
const MAX_COLUMNS = 200;

/** What a reloaded page knows of the file that was chosen before. The file itself is never stored. */
export interface KeptChoice {
  readonly campaignId: string;
  readonly name: string;
  readonly sheet: string | null;
  readonly mapping: Mapping;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps the names of columns until the tab is closed, and none that may be a person's data. */
export function keepChoice(storage: Store, { mapping, ...choice }: KeptChoice): void {
  const columns = [...mapping];
  forgetChoice(storage);
  if (columns.length > MAX_COLUMNS || columns.some(([header]) => looksLikeData(header))) return;
  try {
    storage.setItem(KEY, JSON.stringify({ ...choice, columns }));
  } catch {
    // Without storage a reloaded page begins anew.
  }
}

export function forgetChoice(storage: Store): void {
  try {
    storage.removeItem(KEY);
  } catch {
    // Nothing was stored then.
  }
}

/** Reads what was kept for the campaign. Storage may be forbidden, or may hold anything. */
export function keptChoice(storage: Store, campaignId: string): KeptChoice | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (stored === null || typeof stored !== 'object') return null;
    const { campaignId: own, name, sheet, columns } = stored as Readonly<Record<string, unknown>>;
    if (own !== campaignId || typeof name !== 'string' || !Array.isArray(columns)) return null;
    const mapping = new Map(
      columns
        .filter((entry): entry is [string, unknown] => Array.isArray(entry) && typeof entry[0] === 'string')
        .map(([header, field]) => [header, isField(field) ? field : null]),
    );
    return { campaignId, name, sheet: typeof sheet === 'string' ? sheet : null, mapping };
  } catch {
    return null;
  }
}
