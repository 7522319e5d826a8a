import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MockLanguageModelV4 } from 'ai/test';
import { createConversationBudget } from '../../src/modules/agent/adapters/llm/budget.ts';
import { createLlmAgent, type LlmAgentOptions } from '../../src/modules/agent/adapters/llm/llm-agent.ts';
import { createLlmModel } from '../../src/modules/agent/adapters/llm/model.ts';
import { createRulesAgent } from '../../src/modules/agent/adapters/rules/rules-agent.ts';
import { CONVERSATION, DEBT, UNDERSTOOD } from './support.ts';

const rules = createRulesAgent();
const STEP = { kind: 'first', tone: 'friendly' } as const;
const usage = {
  inputTokens: { total: 40, noCache: 40, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 10, text: 10, reasoning: undefined },
};

const answering = (...answers: unknown[]): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: answers.map((answer) => ({
      content: [{ type: 'text' as const, text: typeof answer === 'string' ? answer : JSON.stringify(answer) }],
      finishReason: { unified: 'stop' as const, raw: undefined },
      usage,
      warnings: [],
    })),
  });

const agentWith = (
  model: LlmAgentOptions['model'],
  limits = { maxCalls: 10, maxTokens: 10_000 },
  timeoutMs = 5_000,
) => {
  const failures: string[] = [];
  const agent = createLlmAgent({
    model,
    fallback: rules,
    budget: createConversationBudget(limits),
    timeoutMs,
    onFallback: (failure) => failures.push(failure),
  });
  return { agent, failures };
};

const PROMISE = {
  intent: 'promise',
  also: ['question', 'other'],
  date: '2026-11-30',
  topics: ['amount'],
  confidence: 0.9,
};

describe('llm brain with the mock model', () => {
  it('takes a structured understanding', async () => {
    const { agent, failures } = agentWith(answering(PROMISE));
    expect(await agent.understand('acerto no fim do mês, quanto é?', CONVERSATION)).toEqual({
      intent: 'promise',
      also: ['question'],
      date: '2026-11-30',
      topics: ['amount'],
      confidence: 0.9,
      mentionsDeath: false,
    });
    expect(failures).toEqual([]);
  });

  it('asks at temperature 0 and shows neither CPF, phone, mail, link nor name', async () => {
    const model = answering(PROMISE);
    const { agent } = agentWith(model);
    const turns = [{ from: 'creditor' as const, text: `Olá, Maria! Pague em ${DEBT.checkoutUrl}`, at: 0 }];
    await agent.understand('sou a Maria das Dores PEREIRA, cpf 529.982.247-25, fone (81) 98765-4321, m.dores@x.com', {
      ...CONVERSATION,
      turns,
    });
    const call = model.doGenerateCalls[0]!;
    expect(call.temperature).toBe(0);
    const seen = JSON.stringify(call.prompt);
    expect(seen).not.toMatch(/Maria|Dores|PEREIRA|529|98765|m\.dores|checkout/i);
    expect(seen).toContain('[numero]');
  });

  it('rewords with placeholders alone, and fills them in afterwards', async () => {
    const model = answering({ text: 'Oi {{firstName}}, aqui é a {{creditor}}. Veja tudo em {{link}}.' });
    const { agent, failures } = agentWith(model);
    const { text, short, template } = await agent.compose(STEP, DEBT, []);
    expect(failures).toEqual([]);
    expect(text).toBe(
      `Oi Maria, aqui é a Escola Azul Ltda. Veja tudo em ${DEBT.shortUrl}.\n\nCredor: Escola Azul Ltda · CNPJ 11.222.333/0001-81 · Endereço: ${DEBT.creditor.address}\nPara não receber mais mensagens, responda PARAR.`,
    );
    // The short text is the product's own, because a model cannot be held to the segments of an SMS.
    const own = await rules.compose(STEP, DEBT, []);
    expect({ short, template }).toEqual({ short: own.short, template: own.template });
    expect(JSON.stringify(model.doGenerateCalls[0]!.prompt)).not.toMatch(/Maria|Escola Azul|11222333|1\.234/);
  });

  it.each([
    ['a lost placeholder', { text: 'Oi {{firstName}}!' }],
    ['a placeholder of its own', { text: '{{firstName}} {{creditor}} {{link}} {{cpf}}' }],
    ['no JSON', 'desculpe, não posso'],
    ['another shape', { mensagem: 'oi' }],
  ])('falls back on %s', async (_, answer) => {
    const { agent, failures } = agentWith(answering(answer));
    expect(await agent.compose(STEP, DEBT, [])).toEqual(await rules.compose(STEP, DEBT, []));
    expect(failures).toEqual(['answer']);
  });

  it('falls back on an intent that does not exist', async () => {
    const { agent, failures } = agentWith(answering({ ...PROMISE, intent: 'give_discount' }));
    expect((await agent.understand('manda o pix', CONVERSATION)).intent).toBe('wants_to_pay');
    expect(failures).toEqual(['answer']);
  });

  it('asks nothing once the calls of a conversation are used up', async () => {
    const model = answering(PROMISE, PROMISE, PROMISE);
    const { agent, failures } = agentWith(model, { maxCalls: 2, maxTokens: 10_000 });
    for (let i = 0; i < 3; i += 1) await agent.understand('pago sexta', CONVERSATION);
    expect(model.doGenerateCalls).toHaveLength(2);
    expect(failures).toEqual(['budget']);
    await agent.understand('pago sexta', { ...CONVERSATION, debtId: 'another' });
    expect(model.doGenerateCalls).toHaveLength(3);
  });

  it('asks nothing once the tokens of a conversation are used up', async () => {
    const model = answering(PROMISE, PROMISE, PROMISE);
    const { agent, failures } = agentWith(model, { maxCalls: 10, maxTokens: 60 });
    for (let i = 0; i < 3; i += 1) await agent.understand('pago sexta', CONVERSATION);
    expect(model.doGenerateCalls).toHaveLength(2);
    expect(failures).toEqual(['budget']);
  });

  it.each(['opt_out', 'wrong_person'] as const)('does not ask the model to answer %s', async (intent) => {
    const model = answering();
    const { agent } = agentWith(model);
    expect(await agent.reply({ ...UNDERSTOOD, intent }, DEBT, CONVERSATION)).toEqual(
      await rules.reply({ ...UNDERSTOOD, intent }, DEBT, CONVERSATION),
    );
    expect(model.doGenerateCalls).toHaveLength(0);
  });
});

interface Heard {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly temperature: number;
    readonly response_format?: { readonly type: string };
  };
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};

describe('llm brain over HTTP', () => {
  let server: Server | undefined;
  const heard: Heard[] = [];

  /** An OpenAI-compatible endpoint that answers as told. */
  const endpoint = async (answer: (response: ServerResponse) => void): Promise<LlmAgentOptions['model']> => {
    heard.length = 0;
    server = createServer((request, response) => {
      void readBody(request).then((body) => {
        heard.push({
          path: request.url,
          authorization: request.headers.authorization,
          body: JSON.parse(body) as Heard['body'],
        });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return createLlmModel({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'key', model: 'small-model' });
  };

  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    server = undefined;
  });

  const completion = (content: string) => (response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'c1',
        object: 'chat.completion',
        created: 1,
        model: 'small-model',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    );
  };

  it('speaks to any OpenAI-compatible endpoint', async () => {
    const { agent, failures } = agentWith(await endpoint(completion(JSON.stringify(PROMISE))));
    expect((await agent.understand('pago no fim do mês', CONVERSATION)).date).toBe('2026-11-30');
    expect(failures).toEqual([]);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer key',
      body: { model: 'small-model', temperature: 0, response_format: { type: 'json_schema' } },
    });
  });

  it.each([
    ['500', (response: ServerResponse) => void response.writeHead(500).end('{}')],
    ['429', (response: ServerResponse) => void response.writeHead(429).end('{}')],
    ['401', (response: ServerResponse) => void response.writeHead(401).end('{}')],
    ['half an answer', (response: ServerResponse) => void response.writeHead(200).end('{"choices":[')],
    ['a cut connection', (response: ServerResponse) => void response.destroy()],
  ])('answers by the rules on %s, after one try', async (_, answer) => {
    const { agent, failures } = agentWith(await endpoint(answer));
    expect((await agent.understand('pago sexta', CONVERSATION)).intent).toBe('promise');
    expect(failures).toEqual(['provider']);
    expect(heard).toHaveLength(1);
  });

  it('answers by the rules when the endpoint hangs', async () => {
    const { agent, failures } = agentWith(await endpoint(() => undefined), undefined, 200);
    expect((await agent.understand('pago sexta', CONVERSATION)).intent).toBe('promise');
    expect(failures).toEqual(['timeout']);
  });

  it('answers by the rules when nobody listens', async () => {
    const model = createLlmModel({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: 'm' });
    const { agent, failures } = agentWith(model);
    expect((await agent.understand('pago sexta', CONVERSATION)).intent).toBe('promise');
    expect(failures).toEqual(['provider']);
  });
});
