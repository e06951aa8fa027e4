import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { programAt } from './bundle.ts';

// What was compiled once is read from a cache at the next start.
enableCompileCache();

const root = fileURLToPath(new URL('..', import.meta.url));
const program = (await import(await programAt(root, 'src/commands/command-line.ts'))) as typeof import('./commands/command-line.ts');

process.exitCode = await program.carryOut(process.argv.slice(2), process);
