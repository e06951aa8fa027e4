#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

// What was compiled once, and stripped of its types, is read from a cache at the next start. This file has no types: with any it would itself
// be stripped before it could say so, which takes a tenth of a second at each start.
enableCompileCache();
// Where this file is, also where it was started by a link to it under `--preserve-symlinks-main`: the sources are beside the file, not the link.
const own = pathToFileURL(realpathSync(fileURLToPath(import.meta.url)));
const { bundledEntry } = await import(new URL('../src/bundle.ts', own).href);

const root = fileURLToPath(new URL('..', own));
const commandLine = await import(await bundledEntry(root, 'src/commands/command-line.ts'));

process.exitCode = await commandLine.carryOut(process.argv.slice(2), process);
