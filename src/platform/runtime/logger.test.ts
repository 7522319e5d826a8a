import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLogger, type LogContext, withLogContext } from './logger.ts';

function capture(pretty = false) {
  const destination = new PassThrough();
  const chunks: string[] = [];
  destination.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const logger = createLogger({ destination, pretty, level: 'debug' });
  return {
    logger,
    text: () => chunks.join(''),
    lines: () =>
      chunks
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

describe('logger', () => {
  it('writes JSON lines with time, level and message', () => {
    const { logger, lines } = capture();
    logger.warn({ port: 3000 }, 'listening');
    expect(lines()).toEqual([
      { level: 'warn', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), port: 3000, msg: 'listening' },
    ]);
  });

  it('adds request and client to each line inside a request, also after an await, and to no line outside', async () => {
    const { logger, lines } = capture();
    const context: LogContext = { requestId: 'r1' };
    await withLogContext(context, async () => {
      logger.info('before');
      await new Promise((resolve) => setImmediate(resolve));
      context.clientId = 'c1';
      logger.child({ part: 'x' }).info('after');
    });
    logger.info('outside');
    expect(lines()).toMatchObject([
      { msg: 'before', requestId: 'r1' },
      { msg: 'after', requestId: 'r1', clientId: 'c1', part: 'x' },
      { msg: 'outside' },
    ]);
    expect(lines()[2]).not.toHaveProperty('requestId');
  });

  it('redacts secrets anywhere in a line', () => {
    const { logger, text } = capture();
    logger.info(
      { nested: { password: 'one1' }, url: '/v?sig=two2' },
      'to %s of %s',
      'three@x.com.br',
      '529.982.247-25',
    );
    logger.error(new Error('phone +5511987654321', { cause: new Error('four@x.com') }));
    logger.error({ err: new Error('five@x.com') }, 'Bearer six6');
    logger.child({ token: 'seven7', note: 'eight@x.com' }).child({ apiKey: 'nine9' }).info('x');
    expect(text()).not.toMatch(/one1|two2|three@|529\.982|98765|four@|five@|six6|seven7|eight@|nine9/);
    expect(text().trim().split('\n')).toHaveLength(4);
    expect(text()).toContain('phone [phone]');
    expect(text()).toMatch(/"type":"Error","message":"\[email\]","stack":/);
  });

  it('writes readable lines for a terminal, also without secrets', () => {
    const { logger, text } = capture(true);
    logger.info({ email: 'a@b.com', port: 1 }, 'ready at 52998224725');
    expect(text()).toMatch(/INFO.*ready at \[digits\]/);
    expect(text()).not.toMatch(/a@b|52998224725/);
  });
});
