import { setImmediate as breathe } from 'node:timers/promises';
import { AppError } from '../../../domain/errors.ts';
import { MAX_JSON_DEPTH } from '../../../domain/json-limits.ts';
import { BATCH_ELEMENTS } from '../batch.ts';
import { MAX_DEBTS } from '../limits.ts';

/** Elements that stand side by side in the text. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface FoundDebts {
  /** Where the elements stand; both 0 when the body has no list `debts`. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Of the first elements, as many as an import may have. */
  readonly pieces: readonly Piece[];
  /** The first element of so many values that it is not parsed, or -1. */
  readonly oversized: number;
  /** Of the body without those elements, about. */
  readonly otherValues: number;
}

/** A legitimate element has some tens of values. One that has more than this would take long to parse, and much memory. */
export const MAX_VALUES = 10_000;

const PIECE_BYTES = 128 * 1024;
/** Read in one go, at most some 10 ms; between two other requests are answered. */
const STRETCH_BYTES = 1024 * 1024;

const NAME = 'debts';
/** Each letter written as an escape. */
const LONGEST_NAME = NAME.length * 6;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

const malformed = (detail: string): AppError => new AppError('malformed_json', { detail });

/**
 * Finds in the bytes of a JSON body where each element of its `debts` begins and ends, without building anything. It counts
 * brackets and commas outside strings, so of well-formed JSON it is exact; what is not well-formed is left to the parser,
 * which gets every byte of the body in one of the pieces or in the rest, and refuses.
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

  /** Up to this byte, or one further when an escape leads there. What is hot is held in locals. */
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

  /** Where `scan` has to go on: an escape may have led it one byte too far. */
  get position(): number {
    return this.at;
  }

  private stringEnds(at: number): void {
    this.inString = false;
    if (this.depth !== 1 || !this.awaitsName) return;
    this.awaitsName = false;
    this.nameFrom = this.stringFrom;
    this.nameTo = at;
    // Of several members with this name the last one counts, as for the parser. An earlier one belongs to the rest.
    if (this.isDebts()) this.forget(0);
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
    if (length < NAME.length || length > LONGEST_NAME) return false;
    const name = this.bytes.toString('latin1', this.nameFrom, this.nameTo);
    if (name === NAME || !name.includes('\\')) return name === NAME;
    try {
      return JSON.parse(`"${name}"`) === NAME;
    } catch {
      return false;
    }
  }

  private debtsBegin(at: number): void {
    this.forget(at);
    this.valuesBeforeDebts = this.values;
    this.elementValues = 0;
    this.inDebts = true;
  }

  private forget(from: number): void {
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
    // Beyond what an import may have nothing is parsed, so nothing has to be remembered.
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
    if (scanner.position < bytes.length) await breathe();
  }
  return scanner.result();
}
