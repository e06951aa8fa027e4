/**
 * `npm run generate` writes the generated files:
 * - `schema.sql` and the table types, from the migrations;
 * - the access model as values, the reference pages, and the JSON Schemas of definitions;
 * - the types of the TypeScript client, from the API description;
 * - the script of public pages, because browsers do not strip types.
 * With `--check` it writes nothing and fails for an outdated file.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { accessDocument } from '../test/access/document.ts';
import { type Operation, openDescription } from '../test/openapi.ts';
import { createTestDatabase, startTestServer } from '../test/postgres.ts';
import { answersDocument } from '../test/suites/answers.ts';
import { accessModelSource } from './access-model.ts';
import { apiDescription } from './api-description.ts';
import { definitionSchema, workflowSchema } from './definition-schema.ts';
import { limitsPage } from './limits-page.ts';
import { pageScript } from './page-script.ts';
import { problemsPage } from './problems-page.ts';
import { schemaText } from './schema-text.ts';
import { tableTypes } from './table-types.ts';

const maxText = 64 * 1024 * 1024;

/** Generates the API types. The generator runs as a process because it needs another TypeScript version. */
function clientTypes(text: string): string {
  return execFileSync(process.execPath, ['packages/client/generate.ts'], { input: text, encoding: 'utf8', maxBuffer: maxText });
}

/** Generates the pages of responses and of problems from the API description. */
function describedPages(text: string): Record<string, string> {
  const { document, operations } = openDescription(text);
  const described = ({ method, path }: Operation) => document.paths[path][method.toLowerCase()];
  return {
    'docs/reference/generated/answers.md': answersDocument(operations, (operation) => described(operation).tags[0]),
    'docs/reference/generated/problems.md': problemsPage(operations, (operation) => described(operation).operationId),
  };
}

const server = await startTestServer();
process.env.CHANCERY_TEST_SERVER = server.url;
let stale = 0;
try {
  const database = await createTestDatabase();
  const described = apiDescription();
  const files = {
    'schema.sql': await schemaText(database.url),
    'src/platform/database/tables.ts': await tableTypes(database.url),
    'src/access/model.ts': accessModelSource(),
    'lib/page.js': pageScript('src/intake/public-pages/browser/public/page.js'),
    'docs/reference/generated/limits.md': limitsPage(),
    'docs/reference/generated/access.md': accessDocument(),
    'docs/reference/generated/interface-definition.schema.json': definitionSchema(),
    'docs/reference/generated/workflow-definition.schema.json': workflowSchema(),
    ...describedPages(described),
    'packages/client/api.ts': clientTypes(described),
  };
  for (const [file, text] of Object.entries(files)) {
    if (!process.argv.includes('--check')) {
      writeFileSync(file, text);
    } else if (readFileSync(file, 'utf8') !== text) {
      process.stderr.write(`${file} is outdated. Run \`npm run generate\` and commit the file.\n`);
      stale += 1;
    }
  }
  await database.drop();
} finally {
  await server.stop();
}
process.exit(stale === 0 ? 0 : 1);
