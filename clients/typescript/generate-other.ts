/** Has another public generator write a client into a folder: `node generate-other.ts <description> <folder>`. For the tests. */
import process from 'node:process';
import { createClient } from '@hey-api/openapi-ts';

const [, , input = '', path = ''] = process.argv;
await createClient({ input, output: { path, module: { extension: '.ts' } }, logs: { level: 'silent' } });
