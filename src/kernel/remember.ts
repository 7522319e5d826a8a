const MAX_KEPT = 20_000;

/**
 * Keeps what was computed for a key, of which few different ones come again and again. The bound limits the memory that
 * keys from outside can take.
 */
export function remember<Key, Value>(compute: (key: Key) => Value, maxKept = MAX_KEPT): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= maxKept) known.clear();
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
