import type { IncomingMessage } from 'node:http';
import type { Ledger } from './ledger.ts';
import type { Quirks } from './quirks.ts';

export interface BankAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  answer: BankAnswer | null;
}

/** The account of the fake bank, as its API sees it. */
export interface PlayedAccount {
  readonly quirks: Quirks;
  readonly key: string;
  readonly ledger: Ledger;
  readonly pageSize: number;
  webhookUrl: string | null;
}
