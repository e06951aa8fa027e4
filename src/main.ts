import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { carryOut } from './commands/command-line.ts';

// What was compiled and stripped of types once is read from a cache at the next start.
enableCompileCache();

process.exitCode = await carryOut(process.argv.slice(2), process);
