import { version } from '../platform/entry-points.ts';
import { causesOf } from '../platform/errors.ts';
import { type Operator, UsageError } from './operator.ts';

/** A command with its usage text and its implementation. */
type Command = { usage: string; run(args: string[], operator: Operator): Promise<number> };

/** The commands by name. A module is loaded only when its command runs. */
const commands: Record<string, { help: string; load: () => Promise<Command> }> = {
  serve: { help: 'serve [--role all|api|worker]   run the service', load: () => import('./serve.ts') },
  demo: {
    help: 'demo [--once]                   run the example on an embedded database, then serve',
    load: () => import('./demo.ts'),
  },
  keys: {
    help: 'keys rotate                     activate the next signing key\n  keys rotate-master              re-encrypt all secrets with MASTER_KEY\n  keys authority                  show, renew or revoke the seal certificate',
    load: () => import('./keys.ts'),
  },
  migrate: { help: 'migrate                         migrate the database to the current schema', load: () => import('./migrate.ts') },
  staff: {
    help: 'staff <create|list|enable|disable|reset-totp|password-link>\n                                  manage the staff accounts of the operator',
    load: () => import('./staff.ts'),
  },
  doctor: {
    help: 'doctor [--files|--definitions]  show and check the settings; compare files and rows; list definitions that follow older rules',
    load: () => import('./doctor.ts'),
  },
  backup: { help: 'backup FOLDER                   back up the database and the files', load: () => import('./backup.ts') },
  restore: {
    help: 'restore FOLDER [--check]        check a backup, or restore it into an empty database\n  restore --release               start background work after a restore',
    load: () => import('./restore.ts'),
  },
  team: {
    help: 'team create                     create a team and its owner\n  team export ID --to FILE.tar    export the data of a team',
    load: () => import('./team.ts'),
  },
  webhooks: {
    help: 'webhooks listen                 receive, verify and show webhooks on this machine',
    load: () => import('./webhooks.ts'),
  },
  jobs: {
    help: 'jobs list|retry                 show and retry permanently failed background jobs',
    load: () => import('./jobs.ts'),
  },
  audit: {
    help: 'audit verify|export|key         verify or export the journal, or show its keys',
    load: () => import('./audit.ts'),
  },
  openapi: { help: 'openapi                         print the API description (OpenAPI 3.1)', load: () => import('./openapi.ts') },
};

function usage(): string {
  return `Usage: chancery <command>\n\n${Object.values(commands)
    .map(({ help }) => `  ${help}`)
    .join('\n')}\n\nchancery <command> --help shows the options of a command. chancery --version shows the version.\n`;
}

/** Whether `--help` occurs anywhere before `--`. If so, the command prints its usage and does not run. */
const asksHow = (args: readonly string[]) =>
  args.slice(0, args.includes('--') ? args.indexOf('--') : args.length).some((arg) => helps.has(arg));
const helps = new Set(['--help', '-h']);

/** Runs a command line. Resolves to the exit code: 0 for success, 1 for a failure, 2 for wrong usage. */
export async function carryOut([first = '', ...rest]: readonly string[], operator: Operator): Promise<number> {
  const isHelpFor = first === 'help' && rest.length > 0;
  const [name = '', ...args] = isHelpFor ? rest : [first, ...rest];
  if (['', 'help', ...helps].includes(name)) {
    operator.stdout.write(usage());
    return 0;
  }
  if (['version', '--version'].includes(name)) {
    operator.stdout.write(`${version}\n`);
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

/** Returns the message of a usage error, or undefined for any other error. */
function usageError(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  const parsed = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
  // Node.js adds advice on positional arguments that begin with a dash. No command accepts these.
  return parsed ? `${error.message.replace(/\.? To specify a positional argument[^]*$/, '').replace(/\.$/, '')}.` : undefined;
}

/** Describes an error with its causes. Adds the stack only at the log level `debug`. */
function explain(error: unknown, { env }: Operator): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return 'The port is in use. Stop the program that listens on it, or set PORT (a worker: HEALTH_PORT) to another port.';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is not an address of this machine. Set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.';
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return 'This user cannot listen on the port. Set PORT (a worker: HEALTH_PORT) to a port above 1023.';
  const [, ...causes] = causesOf(error);
  const because = causes.map(({ message }) => `\n  because: ${message}`).join('');
  return env.LOG_LEVEL === 'debug' ? `${error.stack}${because}` : `${error.message}${because}`;
}
