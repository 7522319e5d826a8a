#!/bin/sh
# PostgreSQL runs this script once, after it has created an empty data folder; the operator runs it again when a new version
# needs a database that is missing. It creates only what is missing. The owner of the product's database and Temporal's login
# each own their databases and cannot open each other's. `quita migrate` creates the serving logins. psql itself reads the
# passwords from the environment, so that no list of processes shows them.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres <<'SQL'
\getenv owner_password DATABASE_OWNER_PASSWORD
\getenv temporal_password TEMPORAL_DATABASE_PASSWORD
select format('create role quita login createrole password %L', :'owner_password')
where not exists (select from pg_roles where rolname = 'quita') \gexec
select format('create role temporal login password %L', :'temporal_password')
where not exists (select from pg_roles where rolname = 'temporal') \gexec
select format('create database %I owner %I', name, owner)
from (values ('quita', 'quita'), ('temporal', 'temporal'), ('temporal_visibility', 'temporal')) as wanted (name, owner)
where not exists (select from pg_database where datname = name) \gexec
revoke connect on database temporal, temporal_visibility from public;
SQL
