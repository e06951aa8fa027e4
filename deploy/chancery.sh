#!/bin/sh
# Runs a command of Chancery as the service user, with the settings and secrets of chancery@.service: chancery doctor
set -eu
set -a
. /etc/chancery/settings.env
NODE_ENV=production
DATA_DIR=/var/lib/chancery
PATH=/opt/chancery/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
for file in /etc/chancery/secrets/*; do
  name=$(basename "$file" | tr a-z- A-Z_)
  export "$name=$(cat "$file")"
done
cd /var/lib/chancery
exec runuser --user chancery -- /opt/chancery/node_modules/.bin/chancery-server "$@"
