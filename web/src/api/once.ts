import { failedOfResponse, mayBeDone } from './problem.ts';

/** The keys of the calls of which nobody knows whether they were done, by their address and by what they sent. */
const unanswered = new Map<string, Map<string, string>>();

/** The answers that say nothing of the call, because its caller is refused. */
const REFUSES_CALLER: readonly number[] = [401, 403];

/** Forgets these calls, which hold what somebody has written. */
export const forgetUnanswered = (): void => unanswered.clear();

const remember = (address: string, sent: string, key: string): void => {
  unanswered.set(address, (unanswered.get(address) ?? new Map()).set(sent, key));
};

/**
 * Gives a call with an `Idempotency-Key` the key under which the same was asked for before, while nobody knows what became
 * of that. So whoever presses again after a lost answer does nothing twice, also when the form was closed meanwhile.
 */
export const sendOnce =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers);
    const fresh = headers.get('idempotency-key');
    const sent = init?.body ?? '';
    // What sends a file keeps its key beside the file.
    if (fresh === null || typeof sent !== 'string') return send(input, init);
    const address = String(input);
    const key = unanswered.get(address)?.get(sent) ?? fresh;
    headers.set('idempotency-key', key);
    try {
      const response = await send(input, { ...init, headers });
      // An answer that breaks off is lost too.
      const text = await response.text();
      const answer = new Response(text === '' ? null : text, response);
      // What was done is seen on the screen, so that the same may be asked for once more on purpose.
      if (answer.ok) unanswered.delete(address);
      else if (mayBeDone(await failedOfResponse(answer.clone()))) remember(address, sent, key);
      // Who calls is asked before anybody looks whether the earlier call was done.
      else if (key === fresh || !REFUSES_CALLER.includes(answer.status)) unanswered.get(address)?.delete(sent);
      return answer;
    } catch (error) {
      remember(address, sent, key);
      throw error;
    }
  };
