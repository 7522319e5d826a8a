import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, oneOf } from '../../../platform/database/tables/columns.ts';
import { SERIES } from '../rules/index-series.ts';

/** A published monthly value that the operator has brought. It belongs to no client. */
export const IndexValue = defineEntity({
  name: 'IndexValue',
  tableName: 'index_values',
  properties: {
    /** The number of the series at the Central Bank. */
    series: p.text().primary(),
    /** `2026-09` */
    month: p.text().primary(),
    /** In millionths of a percent, as it is published. */
    millionths: p.bigint('number'),
    createdAt: createdAt(),
  },
  checks: [{ name: 'index_values_series_known', expression: oneOf('series', Object.values(SERIES)) }],
});
