import { Counter, Histogram, type Registry } from 'prom-client';
import { DEBT_STATUSES } from '../../kernel/debt-status.ts';
import type { AddCount, CountName } from '../../kernel/ports/counts.ts';
import { VERDICT_RULES } from '../../modules/policy/rules/contact-question.ts';
import type { RelayMetrics } from '../../platform/temporal/relay.ts';

interface Definition {
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Series that begin with zero, so that the first count of a process is an increase. */
  readonly known?: readonly Readonly<Record<string, string>>[];
}

const COUNTERS: Readonly<Record<CountName, Definition>> = {
  messages_sent: {
    help: 'Messages to debtors, by the outcome of sending',
    labelNames: ['channel', 'purpose', 'outcome'],
  },
  messages_received: { help: 'Messages of debtors', labelNames: ['channel'] },
  contacts_refused: {
    help: 'Contacts that the policy refused, by rule; one refusal may name several',
    labelNames: ['rule'],
    known: VERDICT_RULES.map((rule) => ({ rule })),
  },
  payments: {
    help: 'Changes of payments: settled, duplicate, underpaid, refunded, charged_back, refund_asked, refund_failed and problems',
    labelNames: ['outcome'],
    known: ['settled', 'duplicate', 'underpaid', 'refunded', 'charged_back', 'refund_asked', 'refund_failed'].map(
      (outcome) => ({ outcome }),
    ),
  },
  receipts_issued: { help: 'Receipts that were issued for the first time' },
  debts_moved: {
    help: 'Debts that came into a status',
    labelNames: ['status'],
    known: DEBT_STATUSES.map((status) => ({ status })),
  },
  webhook_posts: {
    help: 'Attempts to post an event to a webhook',
    labelNames: ['outcome'],
    known: ['delivered', 'failed'].map((outcome) => ({ outcome })),
  },
};

/** Counts what this process has done, in its own memory. The counts of all processes are added by Prometheus. */
export function createCounters(registry: Registry): AddCount {
  const counters = new Map(
    Object.entries(COUNTERS).map(([name, { help, labelNames = [], known = [] }]) => {
      const counter = new Counter({ name: `quita_${name}_total`, help, labelNames, registers: [registry] });
      for (const labels of known) counter.inc(labels, 0);
      return [name, counter];
    }),
  );
  return ({ name, labels }) => counters.get(name)?.inc(labels);
}

const KINDS = ['start', 'signal', 'signal_with_start', 'batch_signal'] as const;

export function createRelayMetrics(registry: Registry): RelayMetrics {
  const registers = [registry];
  const delivered = new Counter({
    name: 'quita_outbox_delivered_total',
    help: 'Outbox rows that were handed to Temporal',
    labelNames: ['kind'],
    registers,
  });
  const failures = new Counter({
    name: 'quita_outbox_failures_total',
    help: 'Failed attempts to hand a row to Temporal; a parked one needs an operator',
    labelNames: ['kind', 'parked'],
    registers,
  });
  const seconds = new Histogram({
    name: 'quita_outbox_delivery_seconds',
    help: 'Time from the moment at which an outbox row was due to its delivery',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  for (const kind of KINDS) {
    delivered.inc({ kind }, 0);
    for (const parked of ['true', 'false']) failures.inc({ kind, parked }, 0);
  }
  return {
    delivered: (kind, waitedSeconds) => {
      delivered.inc({ kind });
      seconds.observe(waitedSeconds);
    },
    failed: (kind, parked) => failures.inc({ kind, parked: String(parked) }),
  };
}
