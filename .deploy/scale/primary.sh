#!/bin/sh
# Lets standbys copy the database and follow it. PostgreSQL's image runs this when it makes the database; in one that exists already:
#   docker compose exec --user postgres database sh /docker-entrypoint-initdb.d/primary.sh
set -eu
ask() {
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" "$@"
}
ask --set password="$REPLICATION_PASSWORD" <<'SQL'
select 'create role replicator login replication'
where not exists (select from pg_roles where rolname = 'replicator') \gexec
alter role replicator password :'password';
-- A standby that was away for longer has to be copied anew.
alter system set wal_keep_size = '16GB';
SQL
rule='host replication replicator all scram-sha-256'
grep --quiet --line-regexp --fixed-strings "$rule" "$PGDATA/pg_hba.conf" || echo "$rule" >>"$PGDATA/pg_hba.conf"
ask --output /dev/null --command 'select pg_reload_conf()'
