#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// What was compiled once, and stripped of its types, is read from a cache at the next start. This file has no types: with any it would itself
// be stripped before it could say so, which takes a tenth of a second at each start.
enableCompileCache();
const { programAt } = await import('../src/bundle.ts');

const root = fileURLToPath(new URL('..', import.meta.url));
const program = await import(await programAt(root, 'src/commands/command-line.ts'));

process.exitCode = await program.carryOut(process.argv.slice(2), process);
