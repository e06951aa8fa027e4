/**
 * Reads the API description from the standard input and prints `api.ts`. `npm run generate` runs it as a separate process, because
 * the generator needs the TypeScript version of this folder.
 */
import process from 'node:process';
import { text } from 'node:stream/consumers';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const blob = ts.factory.createTypeReferenceNode('Blob');

const nodes = await openapiTS(JSON.parse(await text(process.stdin)) as OpenAPI3, {
  // Files are blobs, in uploads (`FormData`) and in downloads.
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
  // Members with a default are optional in requests.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
process.stdout.write(`// Written by \`npm run generate\` from the description of the API.\n${astToString(nodes)}`);
