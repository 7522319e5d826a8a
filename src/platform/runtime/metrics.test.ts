import { describe, expect, it } from '@jest/globals';
import { Counter } from 'prom-client';
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
      pools: () => ({ app: { total: 5, idle: 3, waiting: 0 } }),
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

  it("serves the worker's process with its own, each metric once", async () => {
    const worker = createMetrics({ temporal: async () => 'temporal_requests 3\n# EOF\n' });
    const received = { name: 'quita_received_total', help: 'Received', labelNames: ['channel'] };
    new Counter({ ...received, registers: [worker.registry] }).inc({ channel: 'sms' }, 2);
    worker.observeRequest({ method: 'GET', route: '/', status: 200, seconds: 0.02 });
    // The processes exchange JSON.
    const sent = async () => JSON.parse(JSON.stringify(await worker.forOtherProcess()));
    const own = createMetrics({ worker: sent });
    new Counter({ ...received, registers: [own.registry] }).inc({ channel: 'sms' }, 5);
    const text = await own.text();
    expect(text).toContain('quita_received_total{channel="sms"} 5\n');
    expect(text).toContain('quita_received_total{channel="sms",process="worker"} 2\n');
    expect(text).toMatch(/^quita_http_request_duration_seconds_count\{.*process="worker"\} 1$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+\nprocess_resident_memory_bytes\{process="worker"\} \d+$/m);
    const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(types).size).toBe(types.length);
    expect(text).toMatch(/quita_temporal_metrics_up 1\n[\s\S]*temporal_requests 3\n$/);
  });

  it("serves its own metrics alone while the worker's process does not answer", async () => {
    const text = await createMetrics({ worker: () => Promise.reject(new Error('away')) }).text();
    expect(text).toContain('quita_temporal_metrics_up 0');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  it('shows what waits in the database, and nothing while that cannot be read', async () => {
    let read = async () => ({
      inbox: { message: { waiting: 2, oldestSeconds: 40 } },
      deliveries: { waiting: 3, oldestSeconds: 0 },
      accounts: [{ provider: 'pix', state: 'ready', count: 1, certificateSeconds: 86_400 }],
      senders: [{ channel: 'whatsapp', state: 'paused', count: 1 }],
    });
    const waiting = createMetrics({ process: false, work: () => read() });
    const text = await waiting.text();
    expect(text).toContain('quita_inbox_oldest_seconds{kind="message"} 40');
    expect(text).toContain('quita_webhook_deliveries_waiting{state="pending"} 3');
    expect(text).toContain('quita_senders{channel="whatsapp",state="paused"} 1');
    read = () => Promise.reject(new Error('down'));
    expect(await createMetrics({ process: false, work: () => read() }).text()).not.toMatch(/^quita_(inbox|senders)/m);
  });
});
