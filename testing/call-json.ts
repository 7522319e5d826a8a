interface Sent {
  readonly body?: unknown;
  readonly token?: string | undefined;
}

/** Calls the product as a program does. Returns the answer's body, null without one, and throws when it was refused. */
export async function callJson(method: string, url: string, { body, token }: Sent = {}): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
