import { readFile } from 'node:fs/promises';
import { causesOf } from '../platform/errors.ts';
import { type Operator, UsageError } from './operator.ts';

/** A command: it says how it is called, and carries it out. */
type Command = { usage: string; run(args: string[], operator: Operator): Promise<number> };

/** The command line: a name and the module that carries it out, loaded only when it is asked for. */
const commands: Record<string, { help: string; load: () => Promise<Command> }> = {
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
    help: 'webhooks listen                 receive deliveries here, verify and show them',
    load: () => import('./webhooks.ts'),
  },
  jobs: {
    help: 'jobs list|retry                 show background jobs that failed for good, and let them begin anew',
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
    .join('\n')}\n\nchancery <command> --help says more of one, and chancery --version which version this is.\n`;
}

/** Whether how a command is called is asked for, wherever that stands: it must not be carried out then. */
const asksHow = (args: readonly string[]) =>
  args.slice(0, args.includes('--') ? args.indexOf('--') : args.length).some((arg) => helps.has(arg));
const helps = new Set(['--help', '-h']);

/** Carries out what an operator typed. Resolves to the code that the process ends with: 2 where it makes no sense, 1 where it failed. */
export async function carryOut([first = '', ...rest]: readonly string[], operator: Operator): Promise<number> {
  const isHelpFor = first === 'help' && rest.length > 0;
  const [name = '', ...args] = isHelpFor ? rest : [first, ...rest];
  if (['', 'help', ...helps].includes(name)) {
    operator.stdout.write(usage());
    return 0;
  }
  if (['version', '--version'].includes(name)) {
    operator.stdout.write(`${await version()}\n`);
    return 0;
  }
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) {
    operator.stderr.write(`chancery has no command ${name}.\n\n${usage()}`);
    return 2;
  }
  try {
    const command = await found.load();
    if (isHelpFor || asksHow(args)) {
      operator.stdout.write(command.usage);
      return 0;
    }
    return await command.run([...args], operator).catch((error: unknown) => {
      const usageMessage = usageError(error);
      if (usageMessage === undefined) throw error;
      operator.stderr.write(`${usageMessage}\n\n${command.usage}`);
      return 2;
    });
  } catch (error) {
    operator.stderr.write(`${explain(error, operator)}\n`);
    return 1;
  }
}

/** What of what was typed makes no sense; undefined where it is something else that failed. */
function usageError(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  const parsed = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
  // Node.js goes on about positional arguments, which no command takes with a dash.
  return parsed ? `${error.message.replace(/\.? To specify a positional argument[^]*$/, '').replace(/\.$/, '')}.` : undefined;
}

async function version(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}

/** One sentence for what an operator can mend; the stack only for what they cannot. */
function explain(error: unknown, { env }: Operator): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'The port is taken: end the program that listens on it, or set PORT to another.';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'The address to listen on is not one of this machine: set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.';
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return 'This user may not listen on that port: set PORT to one above 1023.';
  const [, ...causes] = causesOf(error);
  const because = causes.map(({ message }) => `\n  because: ${message}`).join('');
  return env.LOG_LEVEL === 'debug' ? `${error.stack}${because}` : `${error.message}${because}`;
}
