import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';

export const DEPLOY = fileURLToPath(new URL('../deploy', import.meta.url));

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly description: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

export interface Dashboard {
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

export const readRules = (): readonly Rule[] => {
  const text = readFileSync(join(DEPLOY, 'prometheus', 'alerts.yml'), 'utf8');
  return (load(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
};

export const readDashboard = (): Dashboard =>
  JSON.parse(readFileSync(join(DEPLOY, 'grafana', 'quita.json'), 'utf8')) as Dashboard;

export const expressionsOf = ({ panels }: Dashboard): string[] =>
  panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Every metric of this product and of its runtimes has one of these beginnings. */
const METRIC = /\b(?:quita|temporal|nodejs|process)_[a-z0-9_]+/g;

/** The metrics that an expression reads. Labels of the same beginnings do not exist. */
export const metricsIn = (expression: string): string[] => expression.match(METRIC) ?? [];

/** The names under which the metrics of a text are stored: a histogram is three. */
export function servedNames(text: string): Set<string> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  return new Set(
    types.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}
