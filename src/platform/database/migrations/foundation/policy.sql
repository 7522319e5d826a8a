-- Rules about contacts: versions of the packs, a company's own rules, and what they count.

create table "client_rules" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "version" int not null,
  "rules" jsonb not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
alter table "client_rules" add constraint "client_rules_version" unique ("client_id", "version");
alter table "client_rules" add constraint "client_rules_version_counts" check (version > 0);
alter table "client_rules" enable row level security;
alter table "client_rules" force row level security;
create policy "tenant" on "client_rules" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "client_rules" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert on "client_rules" to quita_app;
grant select, delete on "client_rules" to quita_worker;

create table "contact_pace" (
  "scope" text not null,
  "opening" timestamptz(3) not null,
  "free_from" timestamptz(3) not null,
  primary key ("scope", "opening")
);
grant select, insert, update, delete on "contact_pace" to quita_worker;

create table "policy_versions" (
  "pack" text not null,
  "version" text not null,
  "hash" text not null,
  "content" jsonb not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("pack", "version")
);
grant select on "policy_versions" to quita_app;
grant select, insert on "policy_versions" to quita_worker;

create table "unrecorded_contacts" (
  "at" timestamptz(3) not null,
  primary key ("at")
);
grant select on "unrecorded_contacts" to quita_app, quita_worker;
grant insert on "unrecorded_contacts" to quita_operator;

alter table "client_rules" add constraint "client_rules_client_id_foreign" foreign key ("client_id") references "clients" ("id");
