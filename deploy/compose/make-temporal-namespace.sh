#!/bin/sh
# Creates the product's namespace when it is missing. The product itself registers its search attributes and schedules. A
# server that has just started refuses calls for some seconds, because its namespaces are read in the background.
set -eu
export TEMPORAL_DISABLE_CONFIG_FILE=true
tries=0
until temporal operator cluster health > /dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -ge 60 ]; then
    echo "$TEMPORAL_ADDRESS does not answer" >&2
    exit 1
  fi
  sleep 2
done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" > /dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 72h
