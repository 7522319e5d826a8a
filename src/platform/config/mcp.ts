import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { readEnvironment } from './index.ts';

const schema = z.object({
  QUITA_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
  QUITA_API_KEY: z.string().min(1).max(4_096).optional(),
  QUITA_EMAIL: z.string().max(320).optional(),
  QUITA_PASSWORD: z.string().max(256).optional(),
});

/** What `quita mcp` needs to call a service, which may run on another machine. */
export interface McpConfig {
  readonly url: string;
  readonly apiKey: string | undefined;
  /** The login of a person, which messages to debtors need. */
  readonly login: { readonly email: string; readonly password: string } | undefined;
}

export function loadMcpConfig(env = readEnvironment()): McpConfig {
  const given = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, env[name]?.trim() || undefined]));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const { QUITA_URL: url, QUITA_API_KEY: apiKey, QUITA_EMAIL: email, QUITA_PASSWORD: password } = parsed.data;
  return { url, apiKey, login: email === undefined || password === undefined ? undefined : { email, password } };
}
