import { enableCompileCache } from 'node:module';
import process from 'node:process';

// What was compiled and stripped of types once is read from a cache at the next start.
enableCompileCache();

/** The command line: a name and the module that carries it out, loaded only when it is asked for. */
const commands = {
  serve: { help: 'serve [--role all|api|worker]   run the service', load: () => import('./commands/serve.ts') },
  demo: {
    help: 'demo [--once]                   play the main job on an embedded database, then serve',
    load: () => import('./commands/demo.ts'),
  },
  keys: {
    help: 'keys rotate                     let the next signing key take over [--purpose access|witness|webhook] [--now | --compromised]\n  keys rotate-master              seal everything anew under MASTER_KEY, so that MASTER_KEYS_ACCEPTED is needed no more',
    load: () => import('./commands/keys.ts'),
  },
  migrate: { help: 'migrate                         bring the database to the newest schema', load: () => import('./commands/migrate.ts') },
  staff: {
    help: 'staff <create|list|enable|disable|reset-totp|password-link>\n                                  look after the accounts of those who run the service',
    load: () => import('./commands/staff.ts'),
  },
  doctor: {
    help: 'doctor [--files]                show the settings and check what they lead to; or compare files with documents',
    load: () => import('./commands/doctor.ts'),
  },
  webhooks: {
    help: 'webhooks listen [--secret whsec_…] receive deliveries here, verify and show them; --help says more',
    load: () => import('./commands/webhooks.ts'),
  },
  jobs: {
    help: 'jobs list|retry                 show background jobs that failed for good, and let them begin anew; --help says more',
    load: () => import('./commands/jobs.ts'),
  },
  audit: {
    help: 'audit verify|export|key         verify the journal or an export of it, export it, show its keys',
    load: () => import('./commands/audit.ts'),
  },
  openapi: { help: 'openapi                         print the API description (OpenAPI 3.1)', load: () => import('./commands/openapi.ts') },
};

function usage(): string {
  return `Usage: chancery <command>\n\n${Object.values(commands)
    .map(({ help }) => `  ${help}`)
    .join('\n')}\n`;
}

const [name = '', ...args] = process.argv.slice(2);
if (['', 'help', '--help', '-h'].includes(name)) {
  process.stdout.write(usage());
} else if (!Object.hasOwn(commands, name)) {
  process.stderr.write(`chancery has no command ${name}.\n\n${usage()}`);
  process.exitCode = 2;
} else {
  try {
    const { run } = await commands[name as keyof typeof commands].load();
    process.exitCode = await run(args);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** One sentence for what an operator can mend; the stack only for what they cannot. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'The port is taken: end the program that listens on it, or set PORT to another.';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'The address to listen on is not one of this machine: set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.';
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return 'This user may not listen on that port: set PORT to one above 1023.';
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  return process.env.LOG_LEVEL === 'debug' ? `${error.stack}${cause}` : `${error.message}${cause}`;
}
