#!/bin/sh
# PostgreSQL runs this script once, after it has created an empty data folder. The script creates the login that owns the
# product's database; `quita migrate` creates the serving logins. psql itself reads the password from the environment, so
# that no list of processes shows it.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres <<'SQL'
\getenv password DATABASE_OWNER_PASSWORD
create role quita login createrole password :'password';
create database quita owner quita;
SQL
