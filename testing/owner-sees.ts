/** Row security also applies to the owner, so it is lifted for the owner of a database that belongs to one test or benchmark. */
export const LET_OWNER_SEE = `do $$ declare name text; begin
  for name in
    select relname from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace
      and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'test_owner')
  loop
    execute format('create policy test_owner on %I to current_user using (true) with check (true)', name);
  end loop;
end $$`;
