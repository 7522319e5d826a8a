/** Mulberry32: small, fast, and the same sequence for the same seed on every machine. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  between(from: number, to: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    oneOf: (items) => items[Math.floor(next() * items.length)]!,
    shuffled: (items) => {
      const left = [...items];
      for (let last = left.length - 1; last > 0; last -= 1) {
        const other = Math.floor(next() * (last + 1));
        [left[last], left[other]] = [left[other]!, left[last]!];
      }
      return left;
    },
  };
}
