#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Caches compiled modules, without their types, for the next start. This file is JavaScript: Node.js would strip a TypeScript file
// before the cache is enabled, which takes 0.1 s at each start.
enableCompileCache();
// The real path of this file: the sources are beside the file, not beside a symbolic link to it (`--preserve-symlinks-main`).
const own = pathToFileURL(realpathSync(fileURLToPath(import.meta.url)));
const { bundledEntry } = await import(new URL('../src/bundle.ts', own).href);

// Ends without a message if the reader of the output has gone, such as `head`. 141 is the exit code of SIGPIPE in a shell.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});

const root = fileURLToPath(new URL('..', own));
const commandLine = await import(await bundledEntry(root, 'src/commands/command-line.ts'));

process.exitCode = await commandLine.carryOut(process.argv.slice(2), process);
