#!/bin/sh
# Copies the primary the first time, then becomes the server that the arguments name. To copy it anew, remove $PGDATA.
set -eu
umask 077
if [ ! -d "$PGDATA" ]; then
  # What an interrupted copy has left.
  rm -rf "$PGDATA.new"
  pg_basebackup --pgdata "$PGDATA.new" --dbname "$PRIMARY user=replicator password=$REPLICATION_PASSWORD" \
    --write-recovery-conf --wal-method stream --checkpoint fast
  mv "$PGDATA.new" "$PGDATA"
fi
exec "$@"
