// Checks manifests by the JSON Schemas of the package: node ajv.mjs SCHEMA CATALOG
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import yaml from "js-yaml";

const [schema, catalog] = process.argv.slice(2);
const ajv = new Ajv.default({ strict: false, allErrors: true });
const check = ajv.compile(JSON.parse(readFileSync(schema, "utf8")));

let files = 0;
let wrong = 0;
for (const name of readdirSync(catalog, { recursive: true })) {
  if (!name.endsWith(".yaml") || name === "lmssync.yaml") continue;
  files += 1;
  const text = readFileSync(join(catalog, name), "utf8");
  for (const document of yaml.loadAll(text, null, { schema: yaml.CORE_SCHEMA })) {
    if (check(document)) continue;
    wrong += 1;
    console.error(`${name}: ${ajv.errorsText(check.errors)}`);
  }
}
console.log(`${files} files, ${wrong} documents with mistakes`);
process.exitCode = wrong ? 1 : 0;
