import { beforeEach, describe, expect, it } from '@jest/globals';
import { forgetUnanswered, sendOnce } from './once.ts';

const PATH = '/api/debts/1/settle';

/** The keys under which calls have arrived. */
const keys: (string | null)[] = [];
/** What becomes of the next calls, in their order: an answer, or the loss of one. */
const fates: (Response | Error)[] = [];

const send = sendOnce(async (_, init) => {
  keys.push(new Headers(init?.headers).get('idempotency-key'));
  const fate = fates.shift() ?? Response.json({});
  if (fate instanceof Error) throw fate;
  return fate;
});

let made = 0;
/** Calls as the generated client does, with another key each time. */
const call = (body: unknown, path = PATH): Promise<Response> => {
  made += 1;
  const headers = { 'Idempotency-Key': `key ${made}` };
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) });
};
const problem = (status: number, code: string): Response => Response.json({ code, status }, { status });
const lost = (): Error => new TypeError('Failed to fetch');

beforeEach(() => {
  forgetUnanswered();
  keys.length = 0;
  fates.length = 0;
  made = 0;
});

describe('a call that creates or sends', () => {
  it('keeps its key while nobody knows what became of it, and has another one after it was done', async () => {
    fates.push(
      lost(),
      problem(409, 'idempotency_running'),
      problem(503, 'unavailable'),
      problem(429, 'rate_limited'),
      new Response('<h1>Bad Gateway</h1>', { status: 502 }),
      // What does not come from the service says nothing, whatever its status is.
      new Response('<h1>Forbidden</h1>', { status: 403 }),
    );
    await expect(call({ amount: 10 })).rejects.toThrow('Failed to fetch');
    for (let press = 2; press <= 7; press += 1) await call({ amount: 10 });
    await call({ amount: 10 });
    expect(keys).toEqual([...Array.from({ length: 7 }, () => 'key 1'), 'key 8']);
  });

  it('has another key after it was refused, and when it sends something else or elsewhere', async () => {
    fates.push(lost(), problem(400, 'validation_failed'), lost(), problem(409, 'debt_state'));
    await expect(call({ amount: 10 })).rejects.toThrow();
    await call({ amount: 1_000 });
    await expect(call({ amount: 10 }, '/api/debts/2/settle')).rejects.toThrow();
    await call({ amount: 10 });
    await call({ amount: 10 });
    expect(keys).toEqual(['key 1', 'key 2', 'key 3', 'key 1', 'key 5']);
  });

  it('may be done once more on purpose after something else was done there', async () => {
    fates.push(lost());
    await expect(call({ text: 'Bom dia!' })).rejects.toThrow();
    await call({ text: 'Tudo bem?' });
    await call({ text: 'Bom dia!' });
    expect(keys).toEqual(['key 1', 'key 2', 'key 3']);
  });

  it('is unanswered when its answer breaks off', async () => {
    const broken = new ReadableStream({ start: (stream) => stream.error(lost()) });
    fates.push(new Response(broken));
    await expect(call({ amount: 10 })).rejects.toThrow('Failed to fetch');
    await call({ amount: 10 });
    expect(keys).toEqual(['key 1', 'key 1']);
  });

  it('gives its answer on, also one without a body', async () => {
    fates.push(Response.json({ id: '1' }, { status: 201 }), new Response(null, { status: 204 }));
    const first = await call({});
    expect([first.status, await first.json()]).toEqual([201, { id: '1' }]);
    expect((await call({})).status).toBe(204);
  });
});

it('a call without a key, or with a file, is sent as it is', async () => {
  const file = { method: 'POST', headers: { 'Idempotency-Key': 'of the file' }, body: new FormData() };
  fates.push(lost(), lost());
  await expect(send(PATH)).rejects.toThrow();
  await expect(send(PATH, file)).rejects.toThrow();
  await send(PATH);
  expect(keys).toEqual([null, 'of the file', null]);
});

it('keeps its key when its repetition is refused before anybody looks whether it was done', async () => {
  // A refund whose answer is lost was done. Its repetition asks for the second factor again, which the person cancels.
  fates.push(lost(), problem(401, 'step_up_required'), Response.json({}));
  await expect(call({ amount: 50 })).rejects.toThrow();
  await call({ amount: 50 });
  await call({ amount: 50 });
  expect(keys).toEqual(['key 1', 'key 1', 'key 1']);
});
