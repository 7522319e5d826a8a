import type { z } from 'zod';
import type { FieldProblem } from '../../kernel/errors.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The most problems of one answer, so that no answer is much larger than its request. */
export const MAX_PROBLEMS = 50;

/** Limited because the caller chooses the names of members, which may be as long as a body. */
const MAX_POINTER = 500;

/** Builds a pointer of RFC 6901. A pointer that would be too long ends at the last enclosing member that fits. */
export function jsonPointer(path: Path): string {
  let pointer = '';
  for (const part of path) {
    const name = String(part);
    if (pointer.length + name.length >= MAX_POINTER) break;
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const part of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

const HAS_LENGTH = new Set(['string', 'array', 'set', 'map', 'file']);

/**
 * Returns the code of a problem. Beside the codes that a rule names itself (`params: { code }` of a custom issue) there
 * are: required, invalid_type, invalid_value, invalid_format, too_short, too_long, too_small, too_big, not_multiple_of,
 * unknown_member.
 */
function codeOf(issue: Issue, input: unknown): string {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  if (typeof named === 'string') return named;
  const missing = issue.path.length > 0 && valueAt(input, issue.path) === undefined;
  if (missing && issue.code !== 'unrecognized_keys') return 'required';
  switch (issue.code) {
    case 'too_small':
      return HAS_LENGTH.has(issue.origin) ? 'too_short' : 'too_small';
    case 'too_big':
      return HAS_LENGTH.has(issue.origin) ? 'too_long' : 'too_big';
    case 'invalid_type':
    case 'invalid_format':
    case 'not_multiple_of':
      return issue.code;
    case 'unrecognized_keys':
      return 'unknown_member';
    default:
      return 'invalid_value';
  }
}

/** A body of several forms is told what is wrong by the form that it comes closest to, the first of equals. */
const ofClosestForm = (issue: Issue): readonly Issue[] =>
  issue.code === 'invalid_union' && issue.path.length === 0 && issue.errors.length > 0
    ? issue.errors.reduce((closest, form) => (form.length < closest.length ? form : closest))
    : [issue];

export function fieldProblems(issues: readonly Issue[], input: unknown, place: 'body' | 'query'): FieldProblem[] {
  return issues
    .flatMap(ofClosestForm)
    .slice(0, MAX_PROBLEMS)
    .map((issue) => {
      const code = codeOf(issue, input);
      // A rule that asks for a member says why.
      const message = code === 'required' && issue.code !== 'custom' ? 'This is required' : issue.message;
      return place === 'body'
        ? { pointer: jsonPointer(issue.path), code, message }
        : { parameter: String(issue.path[0] ?? ''), code, message };
    });
}

function pathToZero(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const path = pathToZero(value[at]);
      if (path !== undefined) return [String(at), ...path];
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    const path = pathToZero((value as Record<string, unknown>)[key]);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
}

/**
 * PostgreSQL cannot store U+0000, so every text that contains it is refused. Found here, it is reported as an invalid
 * value; found by the database, it would be an internal error. The first one refuses the request, so the search ends
 * there. The recursion is safe because input nests at most 32 levels.
 */
export function zeroCharacter(input: unknown, where: 'body' | 'query'): FieldProblem[] {
  const path = pathToZero(input);
  if (path === undefined) return [];
  const problem = { code: 'invalid_value', message: 'The character U+0000 is not allowed' };
  return [where === 'body' ? { pointer: jsonPointer(path), ...problem } : { parameter: path[0]!, ...problem }];
}
