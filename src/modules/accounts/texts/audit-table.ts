import { statisticsTime } from '../../../kernel/statistics-day.ts';
import type { Table } from '../../../platform/spreadsheets/table.ts';
import { ACTOR_NAMES, AUDIT_ACTIONS } from './audit-actions.ts';

type Details = Readonly<Record<string, string | number | boolean | null>>;

/** What a row of the table says of one entry. */
export interface AuditTableRow {
  readonly at: Date;
  readonly actor: keyof typeof ACTOR_NAMES;
  readonly memberName: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly ip: string | null;
  readonly details: Details | null;
}

const NAMES: Readonly<Record<string, readonly [group: string, name: string]>> = AUDIT_ACTIONS;

const detailsCell = (details: Details | null): string | null =>
  details === null
    ? null
    : Object.entries(details)
        .map(([name, value]) => `${name}: ${value}`)
        .join('; ');

/** The audit log of a company, for whoever examines it. */
export const AUDIT_TABLE: Table<AuditTableRow> = {
  name: 'Registro',
  columns: [
    { header: 'Quando (São Paulo)', width: 20, kind: 'moment', value: ({ at }) => statisticsTime(at.getTime()) },
    { header: 'Quem', width: 22, kind: 'text', value: ({ actor }) => ACTOR_NAMES[actor] },
    { header: 'Pessoa', width: 28, kind: 'text', value: ({ memberName }) => memberName },
    { header: 'O quê', width: 40, kind: 'text', value: ({ action }) => NAMES[action]?.[1] ?? action },
    { header: 'Ação', width: 26, kind: 'text', value: ({ action }) => action },
    { header: 'Sobre', width: 38, kind: 'text', value: ({ target }) => target },
    { header: 'Endereço de rede', width: 20, kind: 'text', value: ({ ip }) => ip },
    { header: 'Detalhes', width: 60, kind: 'text', value: ({ details }) => detailsCell(details) },
  ],
};
