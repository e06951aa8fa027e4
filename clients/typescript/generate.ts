/**
 * Writes the API as types: reads the description from the standard input and prints `api.ts`. Run by `npm run generate`, as a
 * program of its own, since the generator needs the TypeScript of this folder.
 */
import process from 'node:process';
import { text } from 'node:stream/consumers';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const blob = ts.factory.createTypeReferenceNode('Blob');

const nodes = await openapiTS(JSON.parse(await text(process.stdin)) as OpenAPI3, {
  // A file is a file: what FormData takes, and what a download is.
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
  // What has a default may be left out of a request.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
process.stdout.write(`// Written by \`npm run generate\` from the description of the API.\n${astToString(nodes)}`);
