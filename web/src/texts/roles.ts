import type { Role } from '../session/session.ts';

/** What a role is called, in words that fit everybody. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Responsável',
  manager: 'Gestão',
  agent: 'Atendimento',
  viewer: 'Consulta',
  auditor: 'Auditoria',
};
