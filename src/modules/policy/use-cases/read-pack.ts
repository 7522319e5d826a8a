import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import type { PolicyPack } from '../rules/policy-pack.ts';
import { PolicyError } from './load-policy.ts';
import { billPackSchema, policyPackSchema } from './pack-schema.ts';

/** Ten times the shipped pack is about 250 kB. */
const MAX_BYTES = 1_000_000;

/**
 * Reads a pack, or the pack of a bill, which is returned as the shipped pack would be if the bill were in force. A bill
 * becomes no law by that: its rules are choices of whoever asks.
 */
export async function readPack(path: string, shipped: PolicyPack): Promise<PolicyPack> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new PolicyError([`${path} is larger than ${MAX_BYTES} bytes`]);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new PolicyError([`${path}: ${error instanceof Error ? error.message : String(error)}`]);
  }
  if (!isBill(content)) return checked(path, policyPackSchema, content);
  const bill = checked(path, billPackSchema, content);
  if (bill.addsTo !== shipped.id) throw new PolicyError([`${path}: /addsTo names no pack of this deployment`]);
  const added = bill.rules.map((rule) => ({ ...rule, status: 'product' as const }));
  return { ...shipped, version: `${shipped.version} + ${bill.id}`, rules: [...shipped.rules, ...added] };
}

const isBill = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && Object.hasOwn(content, 'addsTo');

function checked<Pack>(path: string, schema: z.ZodType<Pack>, content: unknown): Pack {
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${path}: /${issue.path.map(String).join('/')} ${issue.message}`);
  throw new PolicyError(problems);
}
