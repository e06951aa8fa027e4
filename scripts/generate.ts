/**
 * `npm run generate`: writes what follows from the migrations (`schema.sql`, the table types), the model of access as values, the page of the limits, the page of
 * access from the table that the tests walk, the JSON Schemas of definitions, the pages of answers and problems and the types of the client from the description, the
 * receivers' kit as JavaScript, since Node strips no types from installed packages, and the script of
 * pages, since browsers strip none, and the verifier of exports as one file. With `--check` it writes nothing and fails when a file is
 * not what it would write.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import process from 'node:process';
import { build } from 'esbuild';
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

function withoutTypes(file: string): string {
  return execFileSync('node_modules/.bin/oxfmt', ['--stdin-filepath=plain.js'], {
    input: `// Written by \`npm run generate\` from ${file}.\n${stripTypeScriptTypes(readFileSync(file, 'utf8'))}`,
    encoding: 'utf8',
  });
}

/** Puts a program and its modules into one file that needs Node.js alone. */
async function oneFile(entry: string): Promise<string> {
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', target: 'node22', legalComments: 'none' } as const;
  const { outputFiles } = await build({ entryPoints: [entry], ...options });
  return execFileSync('node_modules/.bin/oxfmt', ['--stdin-filepath=plain.js'], {
    input: `// Written by \`npm run generate\` from ${entry}.\n${outputFiles[0]?.text ?? ''}`,
    encoding: 'utf8',
  });
}

const maxText = 64 * 1024 * 1024;

/** The API as types: the generator runs with a TypeScript of its own. */
function clientTypes(text: string): string {
  return execFileSync(process.execPath, ['clients/typescript/generate.ts'], { input: text, encoding: 'utf8', maxBuffer: maxText });
}

/** What the description says of operations, as pages: what changes answer with, and the problems. */
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
    'lib/webhooks.js': withoutTypes('src/automation/webhooks/verify.ts'),
    'lib/verify-export.js': await oneFile('src/records/journal/evidence/verifier.ts'),
    'lib/page.js': pageScript('src/intake/public-pages/browser/public/page.js'),
    'docs/reference/generated/limits.md': limitsPage(),
    'docs/reference/generated/access.md': accessDocument(),
    'docs/reference/generated/interface-definition.schema.json': definitionSchema(),
    'docs/reference/generated/workflow-definition.schema.json': workflowSchema(),
    ...describedPages(described),
    'clients/typescript/api.ts': clientTypes(described),
  };
  for (const [file, text] of Object.entries(files)) {
    if (!process.argv.includes('--check')) {
      writeFileSync(file, text);
    } else if (readFileSync(file, 'utf8') !== text) {
      process.stderr.write(`${file} is not what it is made from: run \`npm run generate\` and commit it.\n`);
      stale += 1;
    }
  }
  await database.drop();
} finally {
  await server.stop();
}
process.exit(stale === 0 ? 0 : 1);
