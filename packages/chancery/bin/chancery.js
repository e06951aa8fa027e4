#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

// This file runs on Node.js 20. The service needs a newer version, which comes with @chancery/embedded.
const oldest = 26;

// The real path of this file: its packages are beside the file, not beside a symbolic link to it (`--preserve-symlinks-main`).
const own = realpathSync(fileURLToPath(import.meta.url));
const require = createRequire(own);

/** Returns the Node.js of @chancery/embedded, if it is installed for this system. */
function embeddedNode() {
  const system = `${process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(require.resolve('@chancery/embedded/package.json'));
    const name = [`node-bin-${system}`, `node-${system}`].find((one) => canResolve(embedded, one));
    return name && join(dirname(embedded.resolve(`${name}/package.json`)), 'bin/node');
  } catch {
    return undefined;
  }
}

function canResolve(from, name) {
  try {
    return from.resolve(`${name}/package.json`) !== '';
  } catch {
    return false;
  }
}

/** Runs this file with another Node.js, passes signals on, and ends as it ends. */
function runWith(node) {
  const child = spawn(node, [own, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} does not start: ${error.message}`));
  child.on('exit', (code, signal) => {
    // The dynamic linker ends with 127 if a library is missing.
    if (code === 127) fail('Node.js does not start without the library libatomic. On Debian and Ubuntu: apt install libatomic1');
    else if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) >= oldest) await import(pathToFileURL(require.resolve('@chancery/server/bin')).href);
else {
  const node = embeddedNode();
  if (node) runWith(node);
  else fail(`Chancery needs Node.js ${oldest} or later, and this is ${process.version}. Install it, or install @chancery/embedded.`);
}
