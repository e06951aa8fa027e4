/** Generates a client with another public generator for the tests: `node generate-other.ts <description> <folder>`. */
import process from 'node:process';
import { createClient } from '@hey-api/openapi-ts';

const [, , input = '', path = ''] = process.argv;
await createClient({ input, output: { path, module: { extension: '.ts' } }, logs: { level: 'silent' } });
