/**
 * Fails when a regular expression can take exponential time, or time that grows much faster than its text. It prints
 * the part that causes this, and for exponential time a text that the part matches in two ways.
 */
import { analyse } from 'scslre';
import { findAmbiguities } from './expressions/ambiguity.ts';
import { collectExpressions, type Expression } from './expressions/collect.ts';

const { written, built, unseen } = await collectExpressions();
const problems = new Set<string>();

const superLinear = ({ source, flags }: Expression): string[] =>
  analyse({ source, flags }, { reportTypes: { Move: false } }).reports.map((report) =>
    report.type === 'Trade'
      ? `${report.startQuant.raw} and ${report.endQuant.raw} can share their text in many ways`
      : `${report.type === 'Self' ? report.quant.raw : 'it'} can share its text with itself in many ways`,
  );

for (const file of unseen)
  problems.add(`${file}: builds an expression that is not built when the file is loaded, and so cannot be checked`);
for (const expression of [...written, ...built]) {
  const { at, source, flags } = expression;
  for (const { repetition, text } of findAmbiguities(source, flags))
    problems.add(`${at}: ${repetition} reads ${JSON.stringify(text)} in two ways`);
  for (const problem of superLinear(expression)) problems.add(`${at}: ${problem} in /${source}/${flags}`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${written.length} written, ${built.length} built, ${problems.size} problems\n`);
process.exitCode = problems.size > 0 ? 1 : 0;
