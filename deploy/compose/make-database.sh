#!/bin/sh
# Runs once, when PostgreSQL has made an empty data folder: the login that owns the product's database. `quita migrate` makes
# those that serve. The password is read from the environment by psql itself, so that it stands in no list of processes.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres <<'SQL'
\getenv password DATABASE_OWNER_PASSWORD
create role quita login createrole password :'password';
create database quita owner quita;
SQL
