#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';

// Caches compiled modules for the next start.
enableCompileCache();

// Ends without a message if the reader of the output has gone, such as `head`. 141 is the exit code of SIGPIPE in a shell.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});

const { carryOut } = await import('./dist/main.mjs');
process.exitCode = await carryOut(process.argv.slice(2), process);
