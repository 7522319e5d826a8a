import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  /** The body as it was received. */
  readonly raw: string;
  /** The task of the model: to understand a message, or to reword the named template. */
  readonly input: { readonly template?: string; readonly message?: string };
}

export interface ModelAnswer {
  readonly content: unknown;
  readonly totalTokens?: number;
}

/** With null there is no answer; a number is a failure with that status. */
export type Model = (request: ModelRequest) => ModelAnswer | number | null;

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};

const completion = ({ content, totalTokens = 15 }: ModelAnswer): string =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'small-model',
    choices: [{ index: 0, message: { role: 'assistant', content: JSON.stringify(content) }, finish_reason: 'stop' }],
    usage: { prompt_tokens: totalTokens - 5, completion_tokens: 5, total_tokens: totalTokens },
  });

/** Starts an OpenAI-compatible endpoint whose model is a function that the test can replace. */
export async function startFakeLlm(model: Model) {
  const state = { model };
  const requests: ModelRequest[] = [];
  const respond = (response: ServerResponse, answer: ReturnType<Model>): void => {
    if (answer === null) return;
    if (typeof answer === 'number') return void response.writeHead(answer).end('{}');
    response.setHeader('content-type', 'application/json');
    response.end(completion(answer));
  };
  const server = createServer((request, response) => {
    void readBody(request).then((raw) => {
      const { messages } = JSON.parse(raw) as { messages: { role: string; content: unknown }[] };
      const asked = messages.findLast(({ role }) => role === 'user')?.content;
      const text = typeof asked === 'string' ? asked : (asked as { text: string }[])[0]!.text;
      const received = { raw, input: JSON.parse(text) as ModelRequest['input'] };
      requests.push(received);
      respond(response, state.model(received));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    become: (next: Model) => {
      state.model = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type FakeLlm = Awaited<ReturnType<typeof startFakeLlm>>;
