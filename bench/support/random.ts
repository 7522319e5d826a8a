import { createNumbers } from '../../scripts/random-numbers.ts';

/** Choices that are the same for the same seed on every machine. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number;
  between(from: number, to: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function createRandom(seed: number): Random {
  const next = createNumbers(seed);
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

/** Chooses by weight. */
export function chooserOf<Name extends string>(weights: Readonly<Record<Name, number>>, random: () => number) {
  const names = Object.keys(weights) as Name[];
  const total = names.reduce((sum, name) => sum + weights[name], 0);
  return (): Name => {
    let left = random() * total;
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return names[0]!;
  };
}
