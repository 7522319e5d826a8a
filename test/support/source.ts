/** Who asks, where a test calls a use case without HTTP. */
export const SOURCE = { ip: '127.0.0.1', by: 'session' } as const;
