#!/usr/bin/env node
import module from 'node:module';
import process from 'node:process';

// npm only warns about an older Node.js.
const oldest = 26;
if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `Chancery needs Node.js ${oldest} or later, and this is ${process.version}. Install it, or install @chancery/embedded.\n`,
  );
  process.exit(1);
}

// Caches compiled modules for the next start.
module.enableCompileCache();

// Ends without a message if the reader of the output has gone, such as `head`. 141 is the exit code of SIGPIPE in a shell.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});

const { carryOut } = await import('./dist/main.mjs');
process.exitCode = await carryOut(process.argv.slice(2), process);
