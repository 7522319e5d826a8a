/** The caller for tests that call a use case without HTTP. */
export const SOURCE = { ip: '127.0.0.1', by: 'session' } as const;
