import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('counts requests by route and status', async () => {
    const metrics = createMetrics({ process: false });
    metrics.observeRequest({ method: 'GET', route: '/api/debts/:id', status: 404, seconds: 0.02 });
    const text = await metrics.text();
    expect(text).toContain(
      'quita_http_request_duration_seconds_count{method="GET",route="/api/debts/:id",status="404"} 1',
    );
    expect(text).toContain('le="0.025"');
  });

  it('reads the outbox and the pools at each scrape', async () => {
    let pending = 1;
    const metrics = createMetrics({
      process: false,
      outbox: async () => ({ pending, oldestSeconds: pending * 10 }),
      pools: { app: () => ({ total: 5, idle: 3, waiting: 0 }) },
    });
    expect(await metrics.text()).toMatch(/quita_outbox_pending 1\n[\s\S]*quita_outbox_oldest_seconds 10\n/);
    pending = 7;
    const text = await metrics.text();
    expect(text).toMatch(/quita_outbox_pending 7\n[\s\S]*quita_outbox_oldest_seconds 70\n/);
    expect(text).toContain('quita_pg_pool_connections{pool="app",state="idle"} 3');
  });

  it('answers a scrape also when a value cannot be read', async () => {
    const metrics = createMetrics({ process: false, outbox: () => Promise.reject(new Error('down')) });
    expect(await metrics.text()).toContain('quita_outbox_pending Nan');
  });

  it('shows what waits in Temporal by kind of work, and nothing while Temporal cannot be reached', async () => {
    let read = async () => ({ answers: { tasks: 3, seconds: 1.5 } });
    const metrics = createMetrics({ process: false, backlogs: () => read() });
    const text = await metrics.text();
    expect(text).toContain('quita_task_backlog{work="answers"} 3');
    expect(text).toContain('quita_task_backlog_seconds{work="answers"} 1.5');
    read = () => Promise.reject(new Error('down'));
    expect(await metrics.text()).not.toContain('work="answers"');
  });

  it("appends the Temporal runtime's metrics, and reports when they cannot be read", async () => {
    let answer = Promise.resolve('# TYPE temporal_requests counter\ntemporal_requests 3\n# EOF\n');
    const metrics = createMetrics({ temporal: () => answer });
    const text = await metrics.text();
    expect(text).toMatch(/quita_temporal_metrics_up 1\n[\s\S]*temporal_requests 3\n$/);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain('# EOF');
    answer = Promise.reject(new Error('no runtime'));
    expect(await metrics.text()).toContain('quita_temporal_metrics_up 0');
  });
});
