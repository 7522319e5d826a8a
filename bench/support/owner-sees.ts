/** Row security also applies to the owner, so a benchmark's own database lifts it in order to fill the tables. */
export const LET_OWNER_SEE = `do $$ declare name text; begin
  for name in select relname from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace loop
    execute format('create policy bench_owner on %I to current_user using (true) with check (true)', name);
  end loop;
end $$`;
