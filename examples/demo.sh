#!/bin/sh
# See recollect work: index the notes in examples/workspace and ask them three questions.
# Usage: sh examples/demo.sh [COMMAND]      COMMAND is the recollect to run, by default the one on the PATH.
# Index and settings live in a temporary folder that is removed at the end; nothing else is written.
set -eu

recollect=${1:-recollect}
case $recollect in
  */*) recollect=$(cd "$(dirname "$recollect")" && pwd)/$(basename "$recollect") ;;
esac
cd "$(dirname "$0")/workspace"

RECOLLECT_STATE_DIR=$(mktemp -d)
export RECOLLECT_STATE_DIR
trap 'rm -rf "$RECOLLECT_STATE_DIR"' EXIT
trap 'exit 130' INT TERM
unset RECOLLECT_CONFIG OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY VOYAGE_API_KEY MISTRAL_API_KEY

run() {
  printf '\n$ recollect'
  for word; do
    case $word in
      *[!A-Za-z0-9_./:=-]*) printf ' "%s"' "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  "$recollect" "$@" 2>"$RECOLLECT_STATE_DIR/said" || {
    status=$?
    cat "$RECOLLECT_STATE_DIR/said" >&2
    exit $status
  }
}

echo "The notes of somebody who builds a booking service: MEMORY.md and memory/, plain Markdown"
echo "in English, German and Japanese. The index goes to a temporary folder."
echo
printf '$ cd examples/workspace'
run index

echo
echo "1. A question in the words of the notes. The answer names its file and lines."
run search --max-results 1 "What did we decide about Redis?"

echo "2. A question in words that the notes do not use: \"vacation\" is not in them, nor is \"Asia\"."
echo "   It is found by what it means, with a model that came with the package (words 0.000 below)."
run search --max-results 1 --explain "What is planned for the vacation in Asia?"

echo "3. A name that no model knows, looked up as it stands."
run search --max-results 2 "What does E-2203 mean?"

echo "And the lines that an answer named, as they stand in the file:"
run get memory/2026-02-17-payment-incident.md:9-13

echo
echo "With notes of your own: recollect init, then recollect search \"...\""
