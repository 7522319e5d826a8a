#!/bin/sh
# Brings the schemas of Temporal's two databases to the version of this image. Each step changes nothing when it has been
# done before. The address, the login and its password come from the environment (SQL_…).
set -eu
for name in temporal visibility; do
  [ "$name" = temporal ] && database=temporal || database=temporal_visibility
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema -d "/etc/temporal/schema/postgresql/v12/$name/versioned"
done
