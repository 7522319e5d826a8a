/**
 * `npm run holidays [year]` is the yearly review of policies/holidays-br.json (docs/runbook.md). It prints the holidays
 * of the coming year with their laws, the entries that are not checked, and the differences from the library
 * date-holidays. It exits with 1 when the library knows a public holiday of that year or of the next that the rules
 * neither have nor refuse.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { weekday } from '../src/kernel/calendar.ts';
import { type HolidayPlace, holidaysOf, WEEKDAYS } from '../src/kernel/holidays.ts';
import { STATES } from '../src/kernel/phone.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import { compareWithLibrary, type NamedDay } from './holidays/compare-with-library.ts';

const argument = process.argv[2] ?? String(new Date().getUTCFullYear() + 1);
if (!/^\d{4}$/.test(argument)) {
  process.stderr.write('Usage: npm run holidays [year]\n');
  process.exit(2);
}
const year = Number(argument);
const print = (line = '') => process.stdout.write(`${line}\n`);

const { rules } = loadPolicy().holidays;
const places: readonly HolidayPlace[] = ['nation', ...STATES];

print(`Holidays of ${year}. The rules were reviewed on ${rules.reviewed}.`);
for (const place of places) {
  print(`\n${place}`);
  for (const { date, law, moved } of holidaysOf(rules, place, year)) {
    const marks = [moved ? 'transferred' : '', law.checked === false ? 'NOT CHECKED' : ''].filter(Boolean).join(', ');
    print(`  ${date} ${WEEKDAYS[weekday(date)]!}  ${law.name} (${law.law})${marks && `  ${marks}`}`);
  }
}

print('\nNot checked: confirm the statute, or leave the day closed.');
for (const place of places) {
  const { holidays } = place === 'nation' ? rules.nation : rules.states[place];
  for (const { name, law, note, checked } of holidays) {
    if (checked === false) print(`  ${place}  ${name} (${law}): ${note ?? ''}`);
  }
}

const packageFile = createRequire(import.meta.url).resolve('date-holidays/package.json');
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
const list = (title: string, days: readonly NamedDay[]) => {
  print(`\n${title}`);
  for (const { place, date, name } of days) print(`  ${place}  ${date} ${WEEKDAYS[weekday(date)]!}  ${name}`);
  if (days.length === 0) print('  none');
};
const comparison = compareWithLibrary(rules, year);
// Sundays are not compared, so a fixed day that falls on a Sunday this year is found in the next one.
const missing = [...comparison.missing, ...compareWithLibrary(rules, year + 1).missing];
list(`Only in the rules, not in date-holidays ${version}:`, comparison.onlyHere);
list(`Only in date-holidays ${version}, refused by "notHolidays":`, comparison.refused);
list(`Only in date-holidays ${version}, and unknown here: add each to "holidays" or to "notHolidays".`, missing);
process.exitCode = missing.length > 0 ? 1 : 0;
