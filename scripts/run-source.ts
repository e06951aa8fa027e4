/** Runs a command of the service from its sources, for scripts and for debugging: `node scripts/run-source.ts COMMAND`. */
import process from 'node:process';
import { carryOut } from '../src/commands/command-line.ts';

process.exitCode = await carryOut(process.argv.slice(2), process);
