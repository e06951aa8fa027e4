import process from 'node:process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { withStaffAdministration } from './tools/staff.ts';
import { type Operator, UsageError } from './operator.ts';

export const usage = `Usage: chancery staff create --email <address> --name <name> [--password-stdin]
       chancery staff list
       chancery staff enable|disable|reset-totp|password-link --email <address>

Manages the staff accounts of the operator.
`;

const actions = ['create', 'list', 'enable', 'disable', 'reset-totp', 'password-link'];

/** Manages staff accounts. Only this command creates them: HTTP has no operation for it. */
export async function run(args: string[], { env, stdin, stdout, stderr }: Operator = process): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { email: { type: 'string' }, name: { type: 'string' }, 'password-stdin': { type: 'boolean', default: false } },
  });
  const [action = ''] = positionals;
  const { email = '', name = '' } = values;
  if (positionals.length !== 1 || !actions.includes(action)) throw new UsageError(`Specify an action: ${actions.join(', ')}.`);
  if (action !== 'list' && email === '') throw new UsageError('Specify the account: --email <address>.');
  if (action === 'create' && name.trim() === '') throw new UsageError('Specify the name of the person: --name <name>.');
  const config = readConfig(env);
  // Removes only the line break: spaces can belong to the password.
  const password = values['password-stdin'] ? (await text(stdin)).replace(/\r?\n$/, '') : undefined;
  return withStaffAdministration(config, createLogger('warn'), async (staff) => {
    const said = (line: string) => void stdout.write(`${line}\n`);
    const accountMissing = () => {
      stderr.write(`No matching staff account ${email}. See \`staff list\`.\n`);
      return 1;
    };
    switch (action) {
      case 'create': {
        const made = await staff.create({ email, name, ...(password === undefined ? {} : { password }) });
        if (!made) {
          stderr.write(`The staff account ${email} already exists.\n`);
          return 1;
        }
        said(
          made.link === undefined
            ? `Created the staff account ${email}.`
            : `Created the staff account ${email}. Set its password within 24 hours:\n${made.link}`,
        );
        return 0;
      }
      case 'list':
        for (const { email: address, name: called, isActive, totpEnabled, lastLoginAt } of await staff.list())
          said(
            [address, called, isActive ? 'active' : 'inactive', totpEnabled ? 'totp' : 'no totp', lastLoginAt ?? 'never signed in'].join(
              '\t',
            ),
          );
        return 0;
      case 'reset-totp':
        if (!(await staff.resetTotp(email))) return accountMissing();
        said(`The second factor of ${email} is disabled, and all sessions ended.`);
        return 0;
      case 'password-link': {
        const link = await staff.passwordLink(email);
        if (link === undefined) return accountMissing();
        said(`Set the password of ${email} within 24 hours:\n${link}`);
        return 0;
      }
      default:
        if (!(await staff.setActive(email, action === 'enable'))) return accountMissing();
        said(action === 'enable' ? `${email} is active.` : `${email} is inactive, and all sessions ended.`);
        return 0;
    }
  });
}
