/** `fetch` puts the reason into `cause`, and one reason for each address that it tried into `errors`. */
export function networkCodeOf(error: unknown): string | undefined {
  const code = memberOf(error, 'code');
  if (typeof code === 'string') return code;
  const errors = memberOf(error, 'errors');
  const inner = memberOf(error, 'cause') ?? (Array.isArray(errors) ? errors[0] : undefined);
  return inner === undefined ? undefined : networkCodeOf(inner);
}

export const isTimeout = (error: unknown): boolean => memberOf(error, 'name') === 'TimeoutError';

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
