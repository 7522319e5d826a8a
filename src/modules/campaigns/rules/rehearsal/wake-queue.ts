interface Wake<Item> {
  readonly at: number;
  readonly order: number;
  readonly item: Item;
}

const isBefore = (one: Wake<unknown>, other: Wake<unknown>): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap: returns what was put into it by moment, and by `order` where moments are equal. */
export class WakeQueue<Item> {
  readonly #heap: Wake<Item>[] = [];

  put(at: number, order: number, item: Item): void {
    const heap = this.#heap;
    const wake = { at, order, item };
    let place = heap.length;
    heap.push(wake);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(wake, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = wake;
  }

  take(): { readonly at: number; readonly item: Item } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}
