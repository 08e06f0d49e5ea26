#!/bin/sh
# A cluster of Citus on one machine, for tests: every local user may write to it, and it loses rows if the machine stops.
#   citus.sh start FOLDER   starts the cluster, which it makes if FOLDER has none, and prints the URL of the coordinator
#   citus.sh stop FOLDER    stops it
#   citus.sh url            prints the URL
# PORT is the coordinator's port; workers have the next ones. SHARDS, the number of each table's shards, counts when the cluster is
# made. PROGRAMS is the folder of the programs of a PostgreSQL with Citus.
set -eu
: "${WORKERS:=2}" "${SHARDS:=8}" "${PORT:=9700}" "${PROGRAMS:=/usr/lib/postgresql/15/bin}"
fail() {
  echo "$1" >&2
  exit 1
}
usage="usage: [WORKERS=2] [SHARDS=8] [PORT=9700] $0 start FOLDER | stop FOLDER | url"
command=${1-}
folder=${2-}
case $command in
start | stop)
  [ -n "$folder" ] || fail "$usage"
  [ "$(id -u)" -ne 0 ] || fail "PostgreSQL does not run as root: run $0 as another user, such as postgres"
  ;;
url) ;;
*) fail "$usage" ;;
esac
url="postgres://postgres@127.0.0.1:$PORT/tonwire"
# The coordinator is node 0.
nodes=$(seq 0 "$WORKERS")

ask() {
  port=$1
  database=$2
  shift 2
  "$PROGRAMS/psql" --no-psqlrc --quiet --output /dev/null --set ON_ERROR_STOP=1 \
    --dbname "postgres://postgres@127.0.0.1:$port/$database" "$@"
}

# Settings of server/README.md, room for tests that run side by side, and no waits for the disk.
make_node() {
  "$PROGRAMS/initdb" --pgdata "$1" --username postgres --auth trust --encoding UTF8 --locale C --no-sync >/dev/null
  cat >>"$1/postgresql.conf" <<CONF
shared_preload_libraries = 'citus'
citus.shard_count = $SHARDS
citus.recover_2pc_interval = 10s
citus.max_cached_conns_per_worker = 4
citus.enable_statistics_collection = off
max_connections = 400
max_prepared_transactions = 400
max_worker_processes = 64
max_locks_per_transaction = 512
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
CONF
}

start_node() {
  node="$folder/node-$1"
  port=$((PORT + $1))
  [ -e "$node/PG_VERSION" ] || make_node "$node"
  "$PROGRAMS/pg_ctl" status --pgdata "$node" >/dev/null ||
    "$PROGRAMS/pg_ctl" start --pgdata "$node" --log "$node/server.log" --options "-p $port" --wait --timeout 120 >/dev/null
  ask "$port" postgres <<'SQL'
select 'create database tonwire' where not exists (select from pg_database where datname = 'tonwire') \gexec
SQL
  ask "$port" tonwire --command 'set client_min_messages = warning; create extension if not exists citus'
}

case $command in
start)
  mkdir -p "$folder"
  for each in $nodes; do start_node "$each"; done
  ask "$PORT" tonwire --command "select citus_set_coordinator_host('127.0.0.1', $PORT)"
  for each in $nodes; do
    [ "$each" -eq 0 ] || ask "$PORT" tonwire --command "select citus_add_node('127.0.0.1', $((PORT + each)))"
  done
  echo "$url"
  ;;
stop)
  for each in "$folder"/node-*; do "$PROGRAMS/pg_ctl" stop --pgdata "$each" --mode fast >/dev/null; done
  ;;
url) echo "$url" ;;
esac
