import type { Client } from 'pg';

const ROLES = ['quita_app', 'quita_worker', 'quita_operator', 'quita_functions'] as const;

// Roles belong to the whole server, so another database's migration may create them at the same moment.
const ensureRole = (role: (typeof ROLES)[number]): string => `
  do $$
  begin
    begin
      if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end;
    if not pg_has_role(current_user, '${role}', 'set') then
      grant ${role} to current_user with inherit false, set true;
    end if;
  end $$`;

const LET_OPERATOR_WORK = `
  do $$
  begin
    if not pg_has_role('quita_operator', 'quita_worker', 'usage') then
      grant quita_worker to quita_operator with inherit true, set false;
    end if;
  exception when unique_violation or internal_error then null;
  end $$`;

/**
 * Makes the roles of all statements and who may use whose. The migrations have made them too, but neither roles nor
 * memberships are in a dump, so that a database that was restored into another server may lack them.
 */
export async function provisionRoles(owner: Client): Promise<void> {
  for (const role of ROLES) await owner.query(ensureRole(role));
  await owner.query(LET_OPERATOR_WORK);
}
