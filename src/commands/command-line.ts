import type { Operator } from './operator.ts';

/** The command line: a name and the module that carries it out, loaded only when it is asked for. */
const commands = {
  serve: { help: 'serve [--role all|api|worker]   run the service', load: () => import('./serve.ts') },
  demo: {
    help: 'demo [--once]                   play the main job on an embedded database, then serve',
    load: () => import('./demo.ts'),
  },
  keys: {
    help: 'keys rotate                     let the next signing key take over [--purpose access|witness|webhook] [--now | --compromised]\n  keys rotate-master              seal everything anew under MASTER_KEY, so that MASTER_KEYS_ACCEPTED is needed no more',
    load: () => import('./keys.ts'),
  },
  migrate: { help: 'migrate                         bring the database to the newest schema', load: () => import('./migrate.ts') },
  staff: {
    help: 'staff <create|list|enable|disable|reset-totp|password-link>\n                                  look after the accounts of those who run the service',
    load: () => import('./staff.ts'),
  },
  doctor: {
    help: 'doctor [--files]                show the settings and check what they lead to; or compare files with documents',
    load: () => import('./doctor.ts'),
  },
  webhooks: {
    help: 'webhooks listen [--secret whsec_…] receive deliveries here, verify and show them; --help says more',
    load: () => import('./webhooks.ts'),
  },
  jobs: {
    help: 'jobs list|retry                 show background jobs that failed for good, and let them begin anew; --help says more',
    load: () => import('./jobs.ts'),
  },
  audit: {
    help: 'audit verify|export|key         verify the journal or an export of it, export it, show its keys',
    load: () => import('./audit.ts'),
  },
  openapi: { help: 'openapi                         print the API description (OpenAPI 3.1)', load: () => import('./openapi.ts') },
};

function usage(): string {
  return `Usage: chancery <command>\n\n${Object.values(commands)
    .map(({ help }) => `  ${help}`)
    .join('\n')}\n`;
}

/** Carries out what an operator typed. Resolves to the code that the process ends with: 2 where it makes no sense, 1 where it failed. */
export async function carryOut([name = '', ...args]: readonly string[], operator: Operator): Promise<number> {
  if (['', 'help', '--help', '-h'].includes(name)) {
    operator.stdout.write(usage());
    return 0;
  }
  if (!isCommand(name)) {
    operator.stderr.write(`chancery has no command ${name}.\n\n${usage()}`);
    return 2;
  }
  try {
    const { run } = await commands[name].load();
    return await run(args, operator);
  } catch (error) {
    operator.stderr.write(`${explain(error, operator)}\n`);
    return 1;
  }
}

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

/** One sentence for what an operator can mend; the stack only for what they cannot. */
function explain(error: unknown, { env }: Operator): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'The port is taken: end the program that listens on it, or set PORT to another.';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'The address to listen on is not one of this machine: set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.';
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return 'This user may not listen on that port: set PORT to one above 1023.';
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  return env.LOG_LEVEL === 'debug' ? `${error.stack}${cause}` : `${error.message}${cause}`;
}
