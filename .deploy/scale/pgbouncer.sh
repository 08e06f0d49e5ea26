#!/bin/sh
# PgBouncer reads passwords from a file only.
set -eu
umask 077
printf '"tonwire" "%s"\n' "$POSTGRES_PASSWORD" >/tmp/users.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
