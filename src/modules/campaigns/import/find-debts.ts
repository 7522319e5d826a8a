import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { MAX_JSON_DEPTH } from '../../../kernel/json-limits.ts';
import { BATCH_ELEMENTS } from './check-debts.ts';
import { MAX_DEBTS } from './limits.ts';

/** A range of the text that holds consecutive elements. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface FoundDebts {
  /** The byte range of the elements. Both ends are 0 when the body has no list `debts`. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** The pieces of the first elements, up to the number that an import may have. */
  readonly pieces: readonly Piece[];
  /** The index of the first element with too many values to be parsed, or -1. */
  readonly oversized: number;
  /** The approximate number of values in the body outside of those elements. */
  readonly otherValues: number;
}

/**
 * A legitimate element has some tens of values. Parsing one with more values than this would take much time and memory.
 */
export const MAX_VALUES = 10_000;

const PIECE_BYTES = 128 * 1024;
/** Scanning a stretch takes about 10 ms at most. The event loop answers other requests between two stretches. */
const STRETCH_BYTES = 1024 * 1024;

const NAME = 'debts';
/** The length of the name when each letter is written as a Unicode escape. */
const MAX_NAME_LENGTH = NAME.length * 6;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

const malformed = (detail: string): AppError => new AppError('malformed_json', { detail });

/**
 * Finds where each element of `debts` begins and ends in the bytes of a JSON body, without building values. It counts
 * brackets and commas outside strings, which is exact for well-formed JSON. Malformed JSON is left to the parser, which
 * receives every byte of the body, in one of the pieces or in the rest, and refuses it.
 */
class Scanner {
  private at = 0;
  private depth = 0;
  private inString = false;
  private stringFrom = 0;
  private nameFrom = 0;
  private nameTo = 0;
  private awaitsName = false;
  private inDebts = false;
  private values = 0;
  private valuesBeforeDebts = 0;
  private debtsValues = 0;
  private elementValues = 0;
  private from = 0;
  private to = 0;
  private count = 0;
  private oversized = -1;
  private pieces: Piece[] = [];
  private pieceFrom = 0;
  private pieceCount = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /**
   * Scans up to this byte, or one byte further when an escape ends there. Local variables keep the inner loops fast.
   */
  scan(end: number): void {
    const { bytes } = this;
    let { at } = this;
    while (at < end) {
      if (this.inString) {
        let byte = bytes[at]!;
        while (byte !== QUOTE && at < end) {
          at += byte === BACKSLASH ? 2 : 1;
          byte = bytes[at]!;
        }
        if (at >= end) break;
        this.stringEnds(at);
        at++;
      }
      let byte = bytes[at]!;
      while (at < end && byte !== QUOTE) {
        if (byte === COMMA) this.comma(at);
        else if (byte === LIST || byte === OBJECT) this.opens(at, byte);
        else if (byte === LIST_END || byte === OBJECT_END) this.closes(at);
        at++;
        byte = bytes[at]!;
      }
      if (at >= end) break;
      this.inString = true;
      this.stringFrom = at + 1;
      at++;
    }
    this.at = at;
  }

  result(): FoundDebts {
    if (this.depth !== 0 || this.inString) throw malformed('The body is not well-formed JSON.');
    const { from, to, count, oversized, pieces, values, debtsValues } = this;
    return { from, to, count, oversized, pieces, otherValues: values - debtsValues };
  }

  /** The byte at which `scan` has to continue. An escape may have moved it one byte beyond the requested end. */
  get position(): number {
    return this.at;
  }

  private stringEnds(at: number): void {
    this.inString = false;
    if (this.depth !== 1 || !this.awaitsName) return;
    this.awaitsName = false;
    this.nameFrom = this.stringFrom;
    this.nameTo = at;
    // When several members have this name, the last one counts, as for the parser. An earlier one belongs to the rest.
    if (this.isDebts()) this.resetDebts(0);
  }

  private opens(at: number, byte: number): void {
    this.depth++;
    if (this.depth > MAX_JSON_DEPTH) throw malformed(`JSON may be nested at most ${MAX_JSON_DEPTH} levels deep.`);
    this.values++;
    this.elementValues++;
    if (this.depth === 1) this.awaitsName = byte === OBJECT;
    else if (this.depth === 2 && byte === LIST && this.isDebts()) this.debtsBegin(at + 1);
  }

  private closes(at: number): void {
    this.depth--;
    if (this.inDebts && this.depth === 1) this.debtsEnd(at);
  }

  private comma(at: number): void {
    this.values++;
    this.elementValues++;
    if (this.depth === 1) {
      this.awaitsName = true;
      this.nameTo = this.nameFrom;
    } else if (this.inDebts && this.depth === 2) {
      this.elementEnds();
      if (this.pieceCount >= BATCH_ELEMENTS || at - this.pieceFrom >= PIECE_BYTES) this.pieceEnds(at);
    }
  }

  private isDebts(): boolean {
    const length = this.nameTo - this.nameFrom;
    if (length < NAME.length || length > MAX_NAME_LENGTH) return false;
    const name = this.bytes.toString('latin1', this.nameFrom, this.nameTo);
    if (name === NAME || !name.includes('\\')) return name === NAME;
    try {
      return JSON.parse(`"${name}"`) === NAME;
    } catch {
      return false;
    }
  }

  private debtsBegin(at: number): void {
    this.resetDebts(at);
    this.valuesBeforeDebts = this.values;
    this.elementValues = 0;
    this.inDebts = true;
  }

  private resetDebts(from: number): void {
    this.from = from;
    this.to = from;
    this.count = 0;
    this.debtsValues = 0;
    this.oversized = -1;
    this.pieces = [];
    this.pieceFrom = from;
    this.pieceCount = 0;
  }

  private debtsEnd(at: number): void {
    this.inDebts = false;
    this.to = at;
    this.debtsValues = this.values - this.valuesBeforeDebts;
    if (this.count === 0 && this.isBlank(this.from, at)) return;
    this.elementEnds();
    this.pieceEnds(at);
  }

  private isBlank(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.bytes[at]! > 0x20) return false;
    return true;
  }

  private elementEnds(): void {
    if (this.elementValues > MAX_VALUES && this.oversized === -1) this.oversized = this.count;
    this.elementValues = 0;
    this.count++;
    this.pieceCount++;
  }

  private pieceEnds(at: number): void {
    // Elements beyond the limit of an import are never parsed, so their pieces are not stored.
    if (this.count <= MAX_DEBTS + BATCH_ELEMENTS) {
      this.pieces.push({ from: this.pieceFrom, to: at, count: this.pieceCount });
    }
    this.pieceFrom = at + 1;
    this.pieceCount = 0;
  }
}

export async function findDebts(bytes: Buffer): Promise<FoundDebts> {
  const scanner = new Scanner(bytes);
  while (scanner.position < bytes.length) {
    scanner.scan(Math.min(bytes.length, scanner.position + STRETCH_BYTES));
    if (scanner.position < bytes.length) await yieldToEventLoop();
  }
  return scanner.result();
}
