import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEPLOY, readDashboard, readRules } from '../../testing/observability.ts';

const TESTS = join(DEPLOY, 'prometheus', 'alerts.test.yml');
const alerts = readRules().filter(({ alert }) => alert !== undefined);

/** The anchors of a Markdown page, by GitHub's rule for headings. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the alert rules', () => {
  it('lead to a section of the runbook that exists', () => {
    const anchors = anchorsOf(join(DEPLOY, '..', 'docs', 'runbook.md'));
    expect(alerts).not.toEqual([]);
    for (const { alert, labels, annotations } of alerts) {
      const [page, anchor] = annotations?.runbook.split('#') ?? [];
      expect([alert, page, anchors.includes(anchor ?? '')]).toEqual([alert, 'docs/runbook.md', true]);
      expect(['critical', 'warning']).toContain(labels?.severity);
    }
  });

  it('are each tried twice: they fire, and they do not', () => {
    const names = [...readFileSync(TESTS, 'utf8').matchAll(/- name: (.+)$/gm)].map(([, name]) => name);
    expect(names).toEqual(alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} is quiet`]));
  });

  it('have a line in the table of the runbook', () => {
    const runbook = readFileSync(join(DEPLOY, '..', 'docs', 'runbook.md'), 'utf8');
    const rows = [...runbook.matchAll(/^\| `(Quita\w+)`/gm)].map(([, name]) => name);
    expect(rows.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana replaces it
const CHOSEN = '${datasource}';

describe('the dashboard', () => {
  const { panels, templating, schemaVersion } = readDashboard();

  it('asks the data source that the reader chooses', () => {
    expect(schemaVersion).toBeGreaterThanOrEqual(39);
    expect(templating.list.map(({ name, type }) => [name, type])).toEqual([['datasource', 'datasource']]);
    for (const { type, datasource, targets = [] } of panels) {
      if (type === 'row') continue;
      expect(datasource?.uid).toBe(CHOSEN);
      expect(targets.length).toBeGreaterThan(0);
      for (const target of targets) expect(target.datasource.uid).toBe(CHOSEN);
    }
  });

  it('has panels that Grafana can tell apart and place', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
