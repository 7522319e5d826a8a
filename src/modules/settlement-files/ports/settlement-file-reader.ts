import type { FileColumns, ReadFile } from '../rules/received-row.ts';

export interface SettlementFile {
  /** One file is read at a time, and the clients whose files wait take turns. */
  readonly clientId: string;
  readonly bytes: Uint8Array;
  readonly columns: FileColumns;
}

/** Reads a file of payments, whatever its format is. */
export interface SettlementFileReader {
  read(file: SettlementFile): Promise<ReadFile>;
}
